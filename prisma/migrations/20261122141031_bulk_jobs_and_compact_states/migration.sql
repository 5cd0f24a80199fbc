-- CreateEnum
CREATE TYPE "model"."BulkJobStatus" AS ENUM ('QUEUED', 'RUNNING', 'PAUSED', 'COMPLETED', 'COMPLETED_WITH_ERRORS', 'CANCELLED');

-- CreateEnum
CREATE TYPE "model"."BulkPauseReason" AS ENUM ('REQUESTED', 'INSUFFICIENT_CREDITS', 'MODEL_SERVICE_UNAVAILABLE');

-- CreateEnum
CREATE TYPE "model"."BulkResultStatus" AS ENUM ('SUCCEEDED', 'UNAVAILABLE', 'FAILED');

-- By hand: states in columns instead of JSON, eight bytes first, which leaves no gaps in a row.
ALTER TABLE "model"."member_states"
ADD COLUMN     "purchase" DOUBLE PRECISION,
ADD COLUMN     "long_gap" DOUBLE PRECISION,
ADD COLUMN     "cart_removal" DOUBLE PRECISION,
ADD COLUMN     "interval_mean" DOUBLE PRECISION,
ADD COLUMN     "interval_sd" DOUBLE PRECISION,
ADD COLUMN     "alive_chance" DOUBLE PRECISION,
ADD COLUMN     "gap_survival" DOUBLE PRECISION,
ADD COLUMN     "cart_adds" DOUBLE PRECISION,
ADD COLUMN     "cart_removes" DOUBLE PRECISION,
ADD COLUMN     "last_event_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_cart_at" TIMESTAMPTZ(3),
ADD COLUMN     "data_through" TIMESTAMPTZ(3),
ADD COLUMN     "purchase_days" INTEGER,
ADD COLUMN     "sessions" INTEGER,
ADD COLUMN     "gap_days" INTEGER,
ADD COLUMN     "first_day" DATE,
ADD COLUMN     "last_day" DATE,
ADD COLUMN     "purchase_reasons" SMALLINT,
ADD COLUMN     "long_gap_reasons" SMALLINT,
ADD COLUMN     "cart_removal_reasons" SMALLINT,
ADD COLUMN     "model_version" TEXT;

CREATE FUNCTION pg_temp.reasons(signal jsonb) RETURNS smallint LANGUAGE sql AS $$
  SELECT coalesce(sum(CASE reason
           WHEN 'PRIOR_DRIVEN' THEN 1 WHEN 'SHORT_HISTORY' THEN 2 WHEN 'STALE' THEN 4
           WHEN 'NO_PURCHASE_HISTORY' THEN 8 WHEN 'LATE_DATA' THEN 16 WHEN 'INSUFFICIENT_HISTORY' THEN 32
           WHEN 'NO_CART_EVENTS' THEN 64 WHEN 'FEW_CART_EVENTS' THEN 128 ELSE 0 END), 0)::smallint
    FROM jsonb_array_elements_text(signal->'reasons') AS reason
$$;

UPDATE "model"."member_states" AS s
   SET purchase = (s.state#>>'{data,purchase,score}')::float8,
       long_gap = (s.state#>>'{data,long_gap,score}')::float8,
       cart_removal = (s.state#>>'{data,cart_removal,score}')::float8,
       purchase_reasons = pg_temp.reasons(s.state#>'{data,purchase}'),
       long_gap_reasons = pg_temp.reasons(s.state#>'{data,long_gap}'),
       cart_removal_reasons = pg_temp.reasons(s.state#>'{data,cart_removal}'),
       purchase_days = coalesce((e.of->'n_purchase_days'->>'value')::int, 0),
       first_day = (e.of->'first_purchase_day'->>'value')::date,
       last_day = (e.of->'last_purchase_day'->>'value')::date,
       gap_days = (e.of->'gap_days'->>'value')::int,
       interval_mean = (e.of->'interval_mean_days'->>'value')::float8,
       interval_sd = (e.of->'interval_sd_days'->>'value')::float8,
       alive_chance = (e.of->'alive_chance'->>'value')::float8,
       gap_survival = (e.of->'gap_survival'->>'value')::float8,
       sessions = coalesce((e.of->'sessions'->>'value')::int, 0),
       last_event_at = (e.of->'sessions'->>'observedAt')::timestamptz,
       cart_adds = coalesce((e.of->'cart_adds'->>'value')::float8, 0),
       cart_removes = coalesce((e.of->'cart_removes'->>'value')::float8, 0),
       last_cart_at = (e.of->'cart_adds'->>'observedAt')::timestamptz,
       data_through = (e.of->'data_through'->>'value')::timestamptz,
       model_version = coalesce(s.state#>>'{envelope,modelVersion}', 'std-1')
  FROM (SELECT o.workspace_id, o.mode, o.member_id,
               (SELECT coalesce(jsonb_object_agg(item->>'kind', item), '{}')
                  FROM jsonb_array_elements(o.state#>'{envelope,evidence}') AS item) AS of
          FROM "model"."member_states" AS o) AS e
 WHERE e.workspace_id = s.workspace_id AND e.mode = s.mode AND e.member_id = s.member_id;

DROP FUNCTION pg_temp.reasons;

ALTER TABLE "model"."member_states" DROP COLUMN "state",
ALTER COLUMN "cart_adds" SET NOT NULL,
ALTER COLUMN "cart_removes" SET NOT NULL,
ALTER COLUMN "purchase_days" SET NOT NULL,
ALTER COLUMN "sessions" SET NOT NULL,
ALTER COLUMN "purchase_reasons" SET NOT NULL,
ALTER COLUMN "long_gap_reasons" SET NOT NULL,
ALTER COLUMN "cart_removal_reasons" SET NOT NULL,
ALTER COLUMN "model_version" SET NOT NULL;

-- CreateTable
CREATE TABLE "model"."bulk_jobs" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "status" "model"."BulkJobStatus" NOT NULL DEFAULT 'QUEUED',
    "pause_reason" "model"."BulkPauseReason",
    "actor" TEXT NOT NULL,
    "source_cutoff" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "running_since" TIMESTAMPTZ(3),
    "ran_seconds" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "scanned_to_id" UUID NOT NULL,
    "is_scanned" BOOLEAN NOT NULL DEFAULT false,
    "scanned" INTEGER NOT NULL DEFAULT 0,
    "scan_due_at" TIMESTAMPTZ(3) NOT NULL,
    "scan_token" INTEGER NOT NULL DEFAULT 0,
    "chunks" INTEGER NOT NULL DEFAULT 0,
    "unanswered_calls" INTEGER NOT NULL DEFAULT 0,
    "succeeded" INTEGER NOT NULL DEFAULT 0,
    "unavailable" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "credits" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "bulk_jobs_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."bulk_chunks" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "job_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "after_id" UUID NOT NULL,
    "to_id" UUID NOT NULL,
    "only_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "is_retry" BOOLEAN NOT NULL DEFAULT false,
    "is_open" BOOLEAN NOT NULL DEFAULT true,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "token" INTEGER NOT NULL DEFAULT 0,
    "attempt" SMALLINT NOT NULL DEFAULT 0,
    "succeeded" INTEGER NOT NULL DEFAULT 0,
    "unavailable" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "credits" BIGINT NOT NULL DEFAULT 0,
    "written_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_chunks_pkey" PRIMARY KEY ("workspace_id","mode","job_id","number")
);

-- CreateTable, by hand: partitioned. A partition is made when a job of its day is created.
CREATE TABLE "model"."bulk_results" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "job_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "status" "model"."BulkResultStatus" NOT NULL,
    "attempts" SMALLINT NOT NULL,
    "error_code" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bulk_results_pkey" PRIMARY KEY ("workspace_id","mode","job_id","member_id")
) PARTITION BY RANGE ("job_id");

-- CreateTable
CREATE TABLE "model"."rate_budgets" (
    "name" TEXT NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_budgets_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "bulk_jobs_active_idx" ON "model"."bulk_jobs"("status") WHERE (finished_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "bulk_jobs_workspace_id_mode_idempotency_key_key" ON "model"."bulk_jobs"("workspace_id", "mode", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "bulk_jobs_active_key" ON "model"."bulk_jobs"("workspace_id", "mode") WHERE (finished_at IS NULL);

-- CreateIndex
CREATE INDEX "bulk_chunks_open_idx" ON "model"."bulk_chunks"("workspace_id", "mode", "job_id", "due_at", "number") WHERE (is_open);

-- CreateIndex
CREATE INDEX "bulk_results_other_idx" ON "model"."bulk_results"("workspace_id", "mode", "job_id", "status", "member_id") WHERE (status <> 'SUCCEEDED');

-- By hand: the bucket of all workers starts empty.
INSERT INTO "model"."rate_budgets" ("name", "tokens", "updated_at") VALUES ('bulk.calls', 0, now());
