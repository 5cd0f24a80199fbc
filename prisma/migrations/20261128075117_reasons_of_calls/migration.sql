-- DropIndex
DROP INDEX "workspace"."call_log_refused_idx";

-- AlterTable
ALTER TABLE "workspace"."call_log" ADD COLUMN     "reason" TEXT;

-- CreateIndex
CREATE INDEX "call_log_workspace_id_request_id_idx" ON "workspace"."call_log"("workspace_id", "request_id");

-- CreateIndex
CREATE INDEX "call_log_unsuccessful_idx" ON "workspace"."call_log"("workspace_id", "id" DESC) WHERE ((status >= 400) OR (reason IS NOT NULL));
