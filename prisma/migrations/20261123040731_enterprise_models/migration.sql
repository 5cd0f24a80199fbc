-- CreateEnum
CREATE TYPE "model"."CadenceFrequency" AS ENUM ('DAILY', 'WEEKLY', 'MONTHLY');

-- CreateEnum
CREATE TYPE "model"."VersionKind" AS ENUM ('TRAINING', 'ALIGNMENT');

-- CreateEnum
CREATE TYPE "model"."VersionSubject" AS ENUM ('RETURN', 'ITEM', 'BASKET', 'TIER', 'PURCHASE', 'CHURN', 'ABANDONMENT');

-- CreateEnum
CREATE TYPE "model"."VersionOrigin" AS ENUM ('TEST', 'LIVE');

-- CreateEnum
CREATE TYPE "model"."VersionStatus" AS ENUM ('UPLOADED', 'QUEUED', 'RUNNING', 'CANCELLED', 'FAILED', 'EVALUATED', 'APPROVED', 'REJECTED', 'PUBLISHED');

-- CreateEnum
CREATE TYPE "model"."ReviewStatus" AS ENUM ('PENDING', 'APPROVED', 'REJECTED');

-- CreateTable
CREATE TABLE "model"."training_schedules" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "base_id" UUID NOT NULL,
    "is_enabled" BOOLEAN NOT NULL,
    "is_paused" BOOLEAN NOT NULL DEFAULT false,
    "frequency" "model"."CadenceFrequency" NOT NULL,
    "time" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "weekday" SMALLINT NOT NULL,
    "month_day" SMALLINT NOT NULL,
    "min_new_samples" INTEGER NOT NULL,
    "next_run_at" TIMESTAMPTZ(3),
    "last_run_at" TIMESTAMPTZ(3),
    "last_version_id" UUID,
    "administrator" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "training_schedules_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."schedule_samples" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "schedule_id" UUID NOT NULL,
    "sample_id" TEXT NOT NULL,
    "as_of" TIMESTAMPTZ(3) NOT NULL,
    "cells" JSONB NOT NULL,
    "version_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schedule_samples_pkey" PRIMARY KEY ("workspace_id","mode","schedule_id","sample_id")
);

-- CreateTable
CREATE TABLE "model"."schedule_events" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "schedule_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schedule_events_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."model_versions" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "kind" "model"."VersionKind" NOT NULL,
    "subject" "model"."VersionSubject" NOT NULL,
    "origin" "model"."VersionOrigin" NOT NULL,
    "name" TEXT NOT NULL,
    "horizon" INTEGER NOT NULL,
    "rule_version" TEXT,
    "definition" TEXT,
    "content_key" BYTEA NOT NULL,
    "sample_count" INTEGER NOT NULL,
    "base_id" UUID,
    "actor" TEXT NOT NULL,
    "administrator" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "status" "model"."VersionStatus" NOT NULL DEFAULT 'UPLOADED',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "failure_code" TEXT,
    "failure" TEXT,
    "step" TEXT,
    "done" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "token" INTEGER NOT NULL DEFAULT 0,
    "claims" INTEGER NOT NULL DEFAULT 0,
    "report_id" UUID,
    "fingerprint" TEXT,
    "published_at" TIMESTAMPTZ(3),

    CONSTRAINT "model_versions_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."version_samples" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "version_id" UUID NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "version_samples_pkey" PRIMARY KEY ("workspace_id","mode","version_id")
);

-- CreateTable
CREATE TABLE "model"."evaluation_reports" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "kind" "model"."VersionKind" NOT NULL,
    "version_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "passed" BOOLEAN NOT NULL,
    "report" TEXT NOT NULL,
    "report_hash" TEXT NOT NULL,
    "artifact" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "status" "model"."ReviewStatus" NOT NULL DEFAULT 'PENDING',
    "reviewed_by" TEXT,
    "reviewed_at" TIMESTAMPTZ(3),
    "note" TEXT,

    CONSTRAINT "evaluation_reports_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."version_events" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "kind" "model"."VersionKind" NOT NULL,
    "version_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "version_events_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."review_separations" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "review_separations_pkey" PRIMARY KEY ("workspace_id","mode")
);

-- CreateIndex
CREATE INDEX "training_schedules_due_idx" ON "model"."training_schedules"("next_run_at") WHERE (next_run_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "schedule_events_workspace_id_mode_schedule_id_id_idx" ON "model"."schedule_events"("workspace_id", "mode", "schedule_id", "id" DESC);

-- CreateIndex
CREATE INDEX "schedule_events_created_at_idx" ON "model"."schedule_events"("created_at");

-- CreateIndex
CREATE INDEX "model_versions_workspace_id_mode_kind_id_idx" ON "model"."model_versions"("workspace_id", "mode", "kind", "id");

-- CreateIndex
CREATE INDEX "model_versions_due_idx" ON "model"."model_versions"("due_at") WHERE (due_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "model_versions_workspace_id_mode_content_key_key" ON "model"."model_versions"("workspace_id", "mode", "content_key");

-- CreateIndex
CREATE UNIQUE INDEX "model_versions_published_key" ON "model"."model_versions"("workspace_id", "mode", "subject") WHERE (status = 'PUBLISHED' AND kind = 'ALIGNMENT' AND origin = 'LIVE');

-- CreateIndex
CREATE INDEX "evaluation_reports_pending_idx" ON "model"."evaluation_reports"("workspace_id", "mode", "id") WHERE (status = 'PENDING');

-- CreateIndex
CREATE UNIQUE INDEX "evaluation_reports_workspace_id_mode_version_id_attempt_key" ON "model"."evaluation_reports"("workspace_id", "mode", "version_id", "attempt");

-- CreateIndex
CREATE INDEX "version_events_workspace_id_mode_kind_id_idx" ON "model"."version_events"("workspace_id", "mode", "kind", "id");

-- CreateIndex
CREATE INDEX "version_events_created_at_idx" ON "model"."version_events"("created_at");

-- AddForeignKey
ALTER TABLE "model"."schedule_samples" ADD CONSTRAINT "schedule_samples_workspace_id_mode_schedule_id_fkey" FOREIGN KEY ("workspace_id", "mode", "schedule_id") REFERENCES "model"."training_schedules"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "model"."schedule_events" ADD CONSTRAINT "schedule_events_workspace_id_mode_schedule_id_fkey" FOREIGN KEY ("workspace_id", "mode", "schedule_id") REFERENCES "model"."training_schedules"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
