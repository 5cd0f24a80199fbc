-- CreateEnum
CREATE TYPE "model"."AnalysisStatus" AS ENUM ('OK', 'DEGRADED', 'UNAVAILABLE');

-- CreateEnum
CREATE TYPE "model"."DataImportKind" AS ENUM ('MEMBERS', 'ORDERS', 'EVENTS', 'ORDER_LINES', 'CHANNEL_RECEIPTS');

-- CreateEnum
CREATE TYPE "model"."FactKind" AS ENUM ('ORDERS', 'EVENTS', 'ORDER_LINES', 'CHANNEL_RECEIPTS');

-- CreateEnum
CREATE TYPE "model"."OrderFactStatus" AS ENUM ('PENDING', 'PAID', 'COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "model"."ChannelReceiptStatus" AS ENUM ('SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED', 'UNSUBSCRIBED');

-- CreateEnum
CREATE TYPE "model"."WorkspaceFitKind" AS ENUM ('INTERVALS', 'EMAIL_CLICKS', 'ITEM_POPULARITY');

-- CreateEnum
CREATE TYPE "model"."DepositStatus" AS ENUM ('PENDING', 'PAID', 'EXPIRED');

-- CreateEnum
CREATE TYPE "model"."PaymentProvider" AS ENUM ('STRIPE', 'SANDBOX');

-- CreateEnum
CREATE TYPE "model"."ServiceQuoteStatus" AS ENUM ('OPEN', 'ACCEPTED', 'DECLINED');

-- CreateEnum
CREATE TYPE "model"."DecisionScores" AS ENUM ('SEPARATE', 'INCLUDED');

-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "model"."CreditEntryKind" ADD VALUE 'SUBSCRIPTION';
ALTER TYPE "model"."CreditEntryKind" ADD VALUE 'SERVICE';

-- AlterTable
ALTER TABLE "workspace"."workspaces" ADD COLUMN     "model_requests_per_minute" INTEGER NOT NULL DEFAULT 300;

-- AlterTable
ALTER TABLE "model"."wallets" ADD COLUMN     "decision_scores" "model"."DecisionScores" NOT NULL DEFAULT 'SEPARATE',
ADD COLUMN     "paid_since" TIMESTAMPTZ(3),
ADD COLUMN     "renews_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "model"."analyses" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "capability" TEXT NOT NULL,
    "member_id" UUID NOT NULL,
    "status" "model"."AnalysisStatus" NOT NULL,
    "result" JSONB NOT NULL,
    "credits" INTEGER NOT NULL,
    "source_cutoff" TIMESTAMPTZ(3) NOT NULL,
    "model_version" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "analyses_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."member_states" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "status" "model"."AnalysisStatus" NOT NULL,
    "state" JSONB NOT NULL,
    "job_id" UUID,
    "source_cutoff" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_states_pkey" PRIMARY KEY ("workspace_id","mode","member_id")
);

-- CreateTable
CREATE TABLE "model"."decisions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "analysis_id" UUID,
    "action" TEXT NOT NULL,
    "item_id" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',
    "actor" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "decisions_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."decision_outcomes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "decision_id" UUID NOT NULL,
    "outcome" TEXT NOT NULL,
    "value" DOUBLE PRECISION,
    "actor" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "decision_outcomes_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."capability_runs" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "capability" TEXT NOT NULL,
    "arguments" JSONB NOT NULL,
    "source_cutoff" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "capability_runs_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."data_import_previews" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "token_hash" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "issues" INTEGER NOT NULL,
    "inserted" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "batch_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "data_import_previews_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."data_import_batches" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "kind" "model"."DataImportKind" NOT NULL,
    "inserted" INTEGER NOT NULL,
    "skipped" INTEGER NOT NULL,
    "charged" BIGINT NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "data_import_batches_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "model"."data_activations" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "data_activations_pkey" PRIMARY KEY ("workspace_id","mode")
);

-- CreateTable
CREATE TABLE "model"."member_mappings" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "external_id" TEXT NOT NULL,
    "member_id" UUID NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_mappings_pkey" PRIMARY KEY ("workspace_id","mode","external_id")
);

-- CreateTable
CREATE TABLE "model"."fact_ids" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "kind" "model"."FactKind" NOT NULL,
    "external_id" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "member_id" UUID NOT NULL,
    "order_id" UUID,
    "occurred_at" TIMESTAMPTZ(3),
    "currency" CHAR(3),

    CONSTRAINT "fact_ids_pkey" PRIMARY KEY ("workspace_id","mode","kind","external_id")
);

-- CreateTable
CREATE TABLE "model"."order_facts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "id" UUID NOT NULL,
    "order_id" UUID NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "status" "model"."OrderFactStatus" NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "order_facts_pkey" PRIMARY KEY ("workspace_id","mode","member_id","occurred_at","id")
) PARTITION BY RANGE (occurred_at);

-- CreateTable
CREATE TABLE "model"."event_facts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "item_id" TEXT,
    "value" DOUBLE PRECISION,

    CONSTRAINT "event_facts_pkey" PRIMARY KEY ("workspace_id","mode","member_id","occurred_at","id")
) PARTITION BY RANGE (occurred_at);

-- CreateTable
CREATE TABLE "model"."order_line_facts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "id" UUID NOT NULL,
    "order_id" UUID NOT NULL,
    "item_id" TEXT NOT NULL,
    "quantity" DOUBLE PRECISION NOT NULL,
    "unit_price_minor" BIGINT,

    CONSTRAINT "order_line_facts_pkey" PRIMARY KEY ("workspace_id","mode","member_id","occurred_at","id")
) PARTITION BY RANGE (occurred_at);

-- CreateTable
CREATE TABLE "model"."channel_receipt_facts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "status" "model"."ChannelReceiptStatus" NOT NULL,

    CONSTRAINT "channel_receipt_facts_pkey" PRIMARY KEY ("workspace_id","mode","member_id","occurred_at","id")
) PARTITION BY RANGE (occurred_at);

-- CreateTable
CREATE TABLE "model"."member_statistics" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "first_day" DATE,
    "last_day" DATE,
    "purchase_days" INTEGER NOT NULL DEFAULT 0,
    "log_sum" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "log_squares" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "day_squares" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "amounts" JSONB NOT NULL DEFAULT '{}',
    "decayed_orders" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "first_event_at" TIMESTAMPTZ(3),
    "last_event_at" TIMESTAMPTZ(3),
    "events" INTEGER NOT NULL DEFAULT 0,
    "sessions" INTEGER NOT NULL DEFAULT 0,
    "buy_sessions" INTEGER NOT NULL DEFAULT 0,
    "is_first_buy_session" BOOLEAN NOT NULL DEFAULT false,
    "is_buy_session" BOOLEAN NOT NULL DEFAULT false,
    "views" INTEGER NOT NULL DEFAULT 0,
    "cart_adds" INTEGER NOT NULL DEFAULT 0,
    "cart_removes" INTEGER NOT NULL DEFAULT 0,
    "last_cart_at" TIMESTAMPTZ(3),
    "decayed_adds" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "decayed_removes" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "max_occurred_at" TIMESTAMPTZ(3),
    "time_zone" TEXT NOT NULL,
    "is_dirty" BOOLEAN NOT NULL DEFAULT false,
    "version" SMALLINT NOT NULL,

    CONSTRAINT "member_statistics_pkey" PRIMARY KEY ("workspace_id","mode","member_id")
);

-- CreateTable
CREATE TABLE "model"."workspace_statistics" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "cart_adds" BIGINT NOT NULL DEFAULT 0,
    "cart_removes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "workspace_statistics_pkey" PRIMARY KEY ("workspace_id","mode")
);

-- CreateTable
CREATE TABLE "model"."workspace_fits" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "kind" "model"."WorkspaceFitKind" NOT NULL,
    "content" JSONB,
    "fitted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workspace_fits_pkey" PRIMARY KEY ("workspace_id","mode","kind")
);

-- CreateTable
CREATE TABLE "model"."deposits" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "usd_cents" INTEGER NOT NULL,
    "credits" BIGINT NOT NULL,
    "status" "model"."DepositStatus" NOT NULL,
    "provider" "model"."PaymentProvider" NOT NULL,
    "reference" TEXT,
    "checkout_url" TEXT,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "deposits_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "model"."service_quotes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "credits" BIGINT NOT NULL,
    "status" "model"."ServiceQuoteStatus" NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "service_quotes_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "analyses_workspace_id_mode_member_id_id_idx" ON "model"."analyses"("workspace_id", "mode", "member_id", "id" DESC);

-- CreateIndex
CREATE INDEX "decisions_workspace_id_mode_member_id_id_idx" ON "model"."decisions"("workspace_id", "mode", "member_id", "id" DESC);

-- CreateIndex
CREATE INDEX "decision_outcomes_workspace_id_mode_decision_id_idx" ON "model"."decision_outcomes"("workspace_id", "mode", "decision_id");

-- CreateIndex
CREATE INDEX "capability_runs_expires_at_idx" ON "model"."capability_runs"("expires_at");

-- CreateIndex
CREATE INDEX "data_import_previews_expires_at_idx" ON "model"."data_import_previews"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "data_import_previews_workspace_id_mode_token_hash_key" ON "model"."data_import_previews"("workspace_id", "mode", "token_hash");

-- CreateIndex
CREATE INDEX "member_mappings_workspace_id_mode_member_id_idx" ON "model"."member_mappings"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE INDEX "member_mappings_workspace_id_mode_id_idx" ON "model"."member_mappings"("workspace_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "fact_ids_member_id_idx" ON "model"."fact_ids"("member_id");

-- CreateIndex
CREATE INDEX "deposits_workspace_id_status_id_idx" ON "model"."deposits"("workspace_id", "status", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "deposits_provider_reference_key" ON "model"."deposits"("provider", "reference");

-- CreateIndex
CREATE INDEX "service_quotes_workspace_id_status_id_idx" ON "model"."service_quotes"("workspace_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "wallets_renews_at_idx" ON "model"."wallets"("renews_at");

-- AddForeignKey
ALTER TABLE "model"."decision_outcomes" ADD CONSTRAINT "decision_outcomes_workspace_id_mode_decision_id_fkey" FOREIGN KEY ("workspace_id", "mode", "decision_id") REFERENCES "model"."decisions"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- By hand: facts lie in a partition per year of their occurrence, and one for what is older or later.
DO $$
DECLARE fact text;
BEGIN
  FOREACH fact IN ARRAY ARRAY['order_facts', 'event_facts', 'order_line_facts', 'channel_receipt_facts'] LOOP
    EXECUTE format('CREATE TABLE model.%I PARTITION OF model.%I DEFAULT', fact || '_other', fact);
    FOR year IN 2020..2040 LOOP
      EXECUTE format('CREATE TABLE model.%I PARTITION OF model.%I FOR VALUES FROM (%L) TO (%L)',
                     fact || '_' || year, fact, make_timestamptz(year, 1, 1, 0, 0, 0, 'UTC'),
                     make_timestamptz(year + 1, 1, 1, 0, 0, 0, 'UTC'));
    END LOOP;
  END LOOP;
END $$;
