-- DropIndex
DROP INDEX "commerce"."products_sku_idx";

-- DropIndex
DROP INDEX "engagement"."messages_workspace_id_mode_email_index_id_idx";

-- DropIndex
DROP INDEX "model"."credit_reservations_status_expires_at_idx";

-- DropIndex
DROP INDEX "model"."service_quotes_workspace_id_status_id_idx";

-- DropIndex
DROP INDEX "platform"."imports_status_finished_at_idx";

-- DropIndex
DROP INDEX "platform"."imports_unfinished_idx";

-- DropIndex
DROP INDEX "platform"."outbox_relayed_at_idx";

-- DropIndex
DROP INDEX "platform"."workspace_keys_workspace_id_purpose_idx";

-- DropIndex
DROP INDEX "workspace"."ended_sessions_account_id_idx";

-- AlterTable
ALTER TABLE "engagement"."webhook_events" ADD COLUMN     "leased_until" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "messages_address_idx" ON "engagement"."messages"("workspace_id", "mode", "email_index", "id" DESC) WHERE (member_id IS NOT NULL AND email_index <> ''::text);

-- CreateIndex
CREATE INDEX "credit_reservations_held_idx" ON "model"."credit_reservations"("expires_at") WHERE (status = 'HELD');

-- CreateIndex
CREATE INDEX "imports_unfinished_idx" ON "platform"."imports"("created_at") WHERE (finished_at IS NULL);

-- CreateIndex
CREATE INDEX "imports_status_finished_at_idx" ON "platform"."imports"("status", "finished_at") WHERE (finished_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "outbox_relayed_at_idx" ON "platform"."outbox"("relayed_at") WHERE (relayed_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "workspace_keys_workspace_id_created_at_key_id_idx" ON "platform"."workspace_keys"("workspace_id", "created_at" DESC, "key_id" DESC);

-- The rows of queues change soon after they were written. With room in the page the new version stays there: the
-- log of changes gets only what differs, and a claim, which changes no indexed column, writes no index.
ALTER TABLE "platform"."outbox" SET (fillfactor = 50);
ALTER TABLE "engagement"."webhook_events" SET (fillfactor = 50);
ALTER TABLE "engagement"."webhook_deliveries" SET (fillfactor = 50);
ALTER TABLE "engagement"."journey_runs" SET (fillfactor = 50);
ALTER TABLE "engagement"."messages" SET (fillfactor = 70);
ALTER TABLE "engagement"."message_attempts" SET (fillfactor = 60);
