-- CreateEnum
CREATE TYPE "model"."VersionSource" AS ENUM ('UPLOAD', 'OWN_HISTORY');

-- AlterTable
ALTER TABLE "model"."model_versions" ADD COLUMN     "source" "model"."VersionSource" NOT NULL DEFAULT 'UPLOAD';

-- CreateTable
CREATE TABLE "model"."alignment_proposal_schedules" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "target" "model"."VersionSubject" NOT NULL,
    "horizon" INTEGER NOT NULL,
    "next_run_at" TIMESTAMPTZ(3),
    "last_run_at" TIMESTAMPTZ(3),
    "last_version_id" UUID,
    "last_outcome" TEXT,
    "administrator" TEXT NOT NULL,

    CONSTRAINT "alignment_proposal_schedules_pkey" PRIMARY KEY ("workspace_id","mode","target")
);

-- CreateTable
CREATE TABLE "model"."alignment_checks" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "version_id" UUID NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "cutoff_date" DATE NOT NULL,
    "label_end_date" DATE NOT NULL,
    "members" INTEGER NOT NULL,
    "calibration_error" DOUBLE PRECISION NOT NULL,
    "calibration_bound" DOUBLE PRECISION NOT NULL,
    "log_loss" DOUBLE PRECISION NOT NULL,
    "standard_log_loss" DOUBLE PRECISION NOT NULL,
    "is_stale" BOOLEAN NOT NULL,
    "stale_since" TIMESTAMPTZ(3),

    CONSTRAINT "alignment_checks_pkey" PRIMARY KEY ("workspace_id","mode","version_id")
);

-- CreateIndex
CREATE INDEX "alignment_proposal_schedules_due_idx" ON "model"."alignment_proposal_schedules"("next_run_at") WHERE (next_run_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "model_versions_proposed_key" ON "model"."model_versions"("workspace_id", "mode", "subject") WHERE (source = 'OWN_HISTORY' AND due_at IS NOT NULL);
