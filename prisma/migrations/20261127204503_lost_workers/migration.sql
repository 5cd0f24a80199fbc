-- AlterTable
ALTER TABLE "engagement"."campaigns" ADD COLUMN     "claims" SMALLINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "engagement"."journey_runs" ADD COLUMN     "claims" SMALLINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "engagement"."messages" ADD COLUMN     "claims" SMALLINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "engagement"."webhook_deliveries" ADD COLUMN     "claims" SMALLINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "engagement"."webhook_events" ADD COLUMN     "claims" SMALLINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "model"."bulk_chunks" ADD COLUMN     "claims" SMALLINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "model"."bulk_jobs" ADD COLUMN     "scan_claims" SMALLINT NOT NULL DEFAULT 0;
