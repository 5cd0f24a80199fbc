-- AlterTable
ALTER TABLE "engagement"."push_batches" ADD COLUMN     "source_id" UUID,
ADD COLUMN     "taken_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "messages_held_idx" ON "engagement"."messages"("workspace_id", "mode", "source_id", "id") WHERE (due_at IS NULL AND reason = 'PAUSED'::text);

-- CreateIndex
CREATE INDEX "push_batches_source_idx" ON "engagement"."push_batches"("workspace_id", "mode", "source_id") WHERE (source_id IS NOT NULL);
