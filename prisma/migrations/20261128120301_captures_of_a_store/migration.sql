-- CreateIndex
CREATE INDEX "captures_store_idx" ON "loyalty"."captures"("workspace_id", "mode", "store_id", "id" DESC) WHERE (store_id IS NOT NULL);
