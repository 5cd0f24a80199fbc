-- CreateIndex
CREATE INDEX "credit_entries_rare_idx" ON "model"."credit_entries"("workspace_id", "account", "kind", "sequence" DESC) WHERE (kind <> 'USAGE');

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_actor_id_idx" ON "platform"."audit_entries"("workspace_id", "actor", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_action_id_idx" ON "platform"."audit_entries"("workspace_id", "action", "id" DESC);

-- CreateIndex
CREATE INDEX "call_log_refused_idx" ON "workspace"."call_log"("workspace_id", "id" DESC) WHERE (status >= 400);
