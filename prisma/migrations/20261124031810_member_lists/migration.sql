-- CreateIndex
CREATE INDEX "members_in_tier_idx" ON "loyalty"."members"("workspace_id", "mode", "current_tier_id", "id" DESC) WHERE (erased_at IS NULL);

-- CreateIndex
CREATE INDEX "members_store_idx" ON "loyalty"."members"("workspace_id", "mode", "home_store_id", "id" DESC) WHERE (home_store_id IS NOT NULL);
