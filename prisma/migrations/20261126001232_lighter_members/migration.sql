-- DropIndex
DROP INDEX "loyalty"."members_custom_attributes_idx";

-- DropIndex
DROP INDEX "loyalty"."members_erase_after_idx";

-- DropIndex
DROP INDEX "loyalty"."members_workspace_id_mode_program_id_id_idx";

-- CreateIndex
CREATE INDEX "members_program_idx" ON "loyalty"."members"("workspace_id", "mode", "program_id", "id" DESC) WHERE (program_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "members_erase_after_idx" ON "loyalty"."members"("erase_after") WHERE (erase_after IS NOT NULL);

-- CreateIndex
CREATE INDEX "members_custom_attributes_idx" ON "loyalty"."members" USING GIN ("custom_attributes" jsonb_path_ops) WHERE (custom_attributes <> '{}'::jsonb);

-- Points, tiers and activity change often, and no index has points or activity: with room in the page a new version
-- of the row stays there, and no index is written.
ALTER TABLE "loyalty"."members" SET (fillfactor = 85);
ALTER TABLE "commerce"."orders" SET (fillfactor = 95);
