-- By hand, in one transaction: the indexes that are missing are built first, which stops writes to these tables and
-- no reads; then each becomes a primary key, which takes a moment. What references a table by (workspace_id, …)
-- keeps the index that it had. A link to confirm an enrollment that was mailed before does not work any more.

-- CreateIndex
CREATE UNIQUE INDEX "suppressions_next_pkey" ON "engagement"."suppressions"("workspace_id", "mode", "id");
CREATE UNIQUE INDEX "consent_changes_next_pkey" ON "loyalty"."consent_changes"("workspace_id", "mode", "id");
CREATE UNIQUE INDEX "custom_fields_next_pkey" ON "loyalty"."custom_fields"("workspace_id", "id");
CREATE UNIQUE INDEX "member_exports_next_pkey" ON "loyalty"."member_exports"("workspace_id", "mode", "id");
CREATE UNIQUE INDEX "points_entries_next_pkey" ON "loyalty"."points_entries"("workspace_id", "mode", "id");
CREATE UNIQUE INDEX "credit_entries_next_pkey" ON "model"."credit_entries"("workspace_id", "id");
CREATE UNIQUE INDEX "audit_entries_next_pkey" ON "platform"."audit_entries"("workspace_id", "id");
CREATE UNIQUE INDEX "outbox_next_pkey" ON "platform"."outbox"("workspace_id", "id");
CREATE UNIQUE INDEX "test_data_purges_next_pkey" ON "workspace"."test_data_purges"("workspace_id", "id");
CREATE UNIQUE INDEX "enrollments_workspace_id_mode_token_hash_key" ON "loyalty"."enrollments"("workspace_id", "mode", "token_hash");
CREATE UNIQUE INDEX "deposits_workspace_id_provider_reference_key" ON "model"."deposits"("workspace_id", "provider", "reference");

-- AlterTable
ALTER TABLE "commerce"."stores" DROP CONSTRAINT "stores_pkey",
ADD CONSTRAINT "stores_pkey" PRIMARY KEY USING INDEX "stores_workspace_id_id_key";
ALTER TABLE "loyalty"."members" DROP CONSTRAINT "members_pkey",
ADD CONSTRAINT "members_pkey" PRIMARY KEY USING INDEX "members_workspace_id_mode_id_key";
ALTER TABLE "loyalty"."object_types" DROP CONSTRAINT "object_types_pkey",
ADD CONSTRAINT "object_types_pkey" PRIMARY KEY USING INDEX "object_types_workspace_id_id_key";
ALTER TABLE "loyalty"."tags" DROP CONSTRAINT "tags_pkey",
ADD CONSTRAINT "tags_pkey" PRIMARY KEY USING INDEX "tags_workspace_id_mode_id_key";
ALTER TABLE "loyalty"."tiers" DROP CONSTRAINT "tiers_pkey",
ADD CONSTRAINT "tiers_pkey" PRIMARY KEY USING INDEX "tiers_workspace_id_id_key";
ALTER TABLE "model"."credit_reservations" DROP CONSTRAINT "credit_reservations_pkey",
ADD CONSTRAINT "credit_reservations_pkey" PRIMARY KEY USING INDEX "credit_reservations_workspace_id_id_key";

ALTER TABLE "engagement"."suppressions" DROP CONSTRAINT "suppressions_pkey",
ADD CONSTRAINT "suppressions_pkey" PRIMARY KEY USING INDEX "suppressions_next_pkey";
ALTER TABLE "loyalty"."consent_changes" DROP CONSTRAINT "consent_changes_pkey",
ADD CONSTRAINT "consent_changes_pkey" PRIMARY KEY USING INDEX "consent_changes_next_pkey";
ALTER TABLE "loyalty"."custom_fields" DROP CONSTRAINT "custom_fields_pkey",
ADD CONSTRAINT "custom_fields_pkey" PRIMARY KEY USING INDEX "custom_fields_next_pkey";
ALTER TABLE "loyalty"."member_exports" DROP CONSTRAINT "member_exports_pkey",
ADD CONSTRAINT "member_exports_pkey" PRIMARY KEY USING INDEX "member_exports_next_pkey";
ALTER TABLE "loyalty"."points_entries" DROP CONSTRAINT "points_entries_pkey",
ADD CONSTRAINT "points_entries_pkey" PRIMARY KEY USING INDEX "points_entries_next_pkey";
ALTER TABLE "model"."credit_entries" DROP CONSTRAINT "credit_entries_pkey",
ADD CONSTRAINT "credit_entries_pkey" PRIMARY KEY USING INDEX "credit_entries_next_pkey";
ALTER TABLE "platform"."audit_entries" DROP CONSTRAINT "audit_entries_pkey",
ADD CONSTRAINT "audit_entries_pkey" PRIMARY KEY USING INDEX "audit_entries_next_pkey";
ALTER TABLE "platform"."outbox" DROP CONSTRAINT "outbox_pkey",
ADD CONSTRAINT "outbox_pkey" PRIMARY KEY USING INDEX "outbox_next_pkey";
ALTER TABLE "workspace"."test_data_purges" DROP CONSTRAINT "test_data_purges_pkey",
ADD CONSTRAINT "test_data_purges_pkey" PRIMARY KEY USING INDEX "test_data_purges_next_pkey";

-- Partitions take no index that is there already; calls are few beside the rest.
ALTER TABLE "workspace"."call_log" DROP CONSTRAINT "call_log_pkey",
ADD CONSTRAINT "call_log_pkey" PRIMARY KEY ("workspace_id", "id");

-- DropIndex: the primary keys are in the same order.
DROP INDEX "commerce"."stores_workspace_id_id_idx";
DROP INDEX "platform"."audit_entries_workspace_id_id_idx";
DROP INDEX "workspace"."test_data_purges_workspace_id_id_idx";

-- DropIndex
DROP INDEX "loyalty"."enrollments_token_hash_key";
DROP INDEX "model"."deposits_provider_reference_key";
