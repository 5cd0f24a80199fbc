-- CreateIndex
CREATE INDEX "orders_store_idx" ON "commerce"."orders"("workspace_id", "mode", "store_id", "occurred_at" DESC, "id" DESC) WHERE (store_id IS NOT NULL);
