-- CreateIndex
CREATE INDEX "tier_recalculations_finished_idx" ON "loyalty"."tier_recalculations"("finished_at") WHERE (finished_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "credit_reservations_closed_idx" ON "model"."credit_reservations"("closed_at") WHERE (closed_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "imports_finished_idx" ON "platform"."imports"("finished_at") WHERE (finished_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "imports_status_finished_at_idx" ON "platform"."imports"("status", "finished_at");

-- CreateIndex
CREATE INDEX "invitations_expires_at_idx" ON "workspace"."invitations"("expires_at");

-- CreateIndex
CREATE INDEX "password_resets_expires_at_idx" ON "workspace"."password_resets"("expires_at");

-- CreateIndex
CREATE INDEX "test_data_purges_finished_idx" ON "workspace"."test_data_purges"("finished_at") WHERE (finished_at IS NOT NULL);
