-- DropIndex
DROP INDEX "loyalty"."members_in_tier_idx";

-- DropIndex
DROP INDEX "loyalty"."members_listed_idx";

-- DropIndex
DROP INDEX "loyalty"."members_workspace_id_mode_status_id_idx";

-- CreateIndex
CREATE INDEX "members_in_status_idx" ON "loyalty"."members"("workspace_id", "mode", "status", "id" DESC) WHERE (status <> 'ACTIVE');

-- CreateIndex
CREATE INDEX "members_listed_idx" ON "loyalty"."members"("workspace_id", "mode", "id" DESC, "status", "current_tier_id", "erased_at");
