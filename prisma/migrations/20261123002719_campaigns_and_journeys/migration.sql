-- CreateEnum
CREATE TYPE "engagement"."CampaignStatus" AS ENUM ('DRAFT', 'SCHEDULED', 'SENDING', 'PAUSED', 'SENT', 'CANCELLED');

-- CreateEnum
CREATE TYPE "engagement"."RecipientState" AS ENUM ('WAITING', 'QUEUED', 'HELD_OUT', 'SKIPPED');

-- CreateEnum
CREATE TYPE "engagement"."JourneyKind" AS ENUM ('JOURNEY', 'AUTOMATION');

-- CreateEnum
CREATE TYPE "engagement"."JourneyStatus" AS ENUM ('DRAFT', 'ACTIVE', 'PAUSED', 'ENDED');

-- CreateEnum
CREATE TYPE "engagement"."TriggerRole" AS ENUM ('ENTRY', 'WAIT', 'GOAL', 'EXIT');

-- CreateEnum
CREATE TYPE "engagement"."RunStatus" AS ENUM ('ACTIVE', 'COMPLETED', 'GOAL_REACHED', 'EXITED', 'FAILED');

-- CreateEnum
CREATE TYPE "engagement"."MessageChannel" AS ENUM ('EMAIL', 'WEB_PUSH');

-- CreateEnum
CREATE TYPE "engagement"."MessageSourceKind" AS ENUM ('CAMPAIGN', 'JOURNEY', 'AUTOMATION');

-- CreateEnum
CREATE TYPE "engagement"."OccurrenceKind" AS ENUM ('ORDER', 'VISIT', 'COUPON_ISSUED', 'COUPON_REDEEMED', 'TRACKED', 'RECORD');

-- AlterTable
ALTER TABLE "engagement"."message_settings" ADD COLUMN     "stopped_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "engagement"."messages" ADD COLUMN     "channel" "engagement"."MessageChannel" NOT NULL DEFAULT 'EMAIL',
ADD COLUMN     "content_id" UUID,
ADD COLUMN     "node_id" TEXT,
ADD COLUMN     "source_id" UUID,
ADD COLUMN     "source_kind" "engagement"."MessageSourceKind",
ADD COLUMN     "unsubscribed_at" TIMESTAMPTZ(3),
ADD COLUMN     "variant" TEXT;

-- AlterTable
ALTER TABLE "loyalty"."coupons" ADD COLUMN     "source" TEXT;

-- CreateTable
CREATE TABLE "engagement"."campaigns" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "channel" "engagement"."MessageChannel" NOT NULL,
    "status" "engagement"."CampaignStatus" NOT NULL DEFAULT 'DRAFT',
    "include_ids" UUID[],
    "exclude_ids" UUID[],
    "variants" JSONB NOT NULL,
    "hold_out_percent" INTEGER NOT NULL DEFAULT 0,
    "scheduled_at" TIMESTAMPTZ(3),
    "is_local_time" BOOLEAN NOT NULL DEFAULT false,
    "attribution_days" INTEGER NOT NULL DEFAULT 7,
    "journey_id" UUID,
    "audience_to_id" UUID,
    "recipient_counts" JSONB NOT NULL DEFAULT '[]',
    "due_at" TIMESTAMPTZ(3),
    "claim" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "engagement"."campaign_recipients" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "variant" TEXT NOT NULL,
    "state" "engagement"."RecipientState" NOT NULL DEFAULT 'WAITING',
    "reason" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaign_recipients_pkey" PRIMARY KEY ("workspace_id","mode","campaign_id","member_id")
);

-- CreateTable
CREATE TABLE "engagement"."attributed_orders" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "order_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "variant" TEXT,
    "member_id" UUID NOT NULL,
    "is_held_out" BOOLEAN NOT NULL,
    "is_last_touch" BOOLEAN NOT NULL,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "revenue_minor" BIGINT NOT NULL,

    CONSTRAINT "attributed_orders_pkey" PRIMARY KEY ("workspace_id","mode","order_id","source_id")
);

-- CreateTable
CREATE TABLE "engagement"."orders_to_attribute" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "order_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "orders_to_attribute_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "engagement"."journeys" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "kind" "engagement"."JourneyKind" NOT NULL DEFAULT 'JOURNEY',
    "name" TEXT NOT NULL,
    "status" "engagement"."JourneyStatus" NOT NULL DEFAULT 'DRAFT',
    "draft" JSONB NOT NULL,
    "version" INTEGER,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "launched_at" TIMESTAMPTZ(3),

    CONSTRAINT "journeys_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "engagement"."journey_versions" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "journey_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "definition" JSONB NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "journey_versions_pkey" PRIMARY KEY ("workspace_id","mode","journey_id","number")
);

-- CreateTable
CREATE TABLE "engagement"."journey_triggers" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "journey_id" UUID NOT NULL,
    "role" "engagement"."TriggerRole" NOT NULL,
    "event_type" TEXT NOT NULL,

    CONSTRAINT "journey_triggers_pkey" PRIMARY KEY ("workspace_id","mode","event_type","journey_id","role")
);

-- CreateTable
CREATE TABLE "engagement"."trigger_events" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "member_id" UUID NOT NULL,
    "payload" JSONB NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trigger_events_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "engagement"."journey_runs" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "journey_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "member_id" UUID NOT NULL,
    "entry_key" TEXT NOT NULL,
    "trigger" JSONB NOT NULL,
    "status" "engagement"."RunStatus" NOT NULL DEFAULT 'ACTIVE',
    "node_id" TEXT NOT NULL,
    "arrived_at" TIMESTAMPTZ(3) NOT NULL,
    "step" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "leased_until" TIMESTAMPTZ(3),
    "claim" INTEGER NOT NULL DEFAULT 0,
    "waits_for" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sent_nodes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "reason" TEXT,
    "entered_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "journey_runs_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "engagement"."journey_node_counts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "journey_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "node_id" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "journey_node_counts_pkey" PRIMARY KEY ("workspace_id","mode","journey_id","version","node_id","outcome")
);

-- CreateTable
CREATE TABLE "engagement"."automations" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" "engagement"."JourneyStatus" NOT NULL DEFAULT 'DRAFT',
    "trigger_kind" TEXT NOT NULL,
    "trigger" JSONB NOT NULL,
    "condition" JSONB,
    "actions" JSONB NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "automations_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "engagement"."message_contents" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "content_sealed" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "message_contents_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "engagement"."held_sources" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "source_id" UUID NOT NULL,
    "is_cancelled" BOOLEAN NOT NULL,
    "held_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "held_sources_pkey" PRIMARY KEY ("workspace_id","mode","source_id")
);

-- CreateTable
CREATE TABLE "engagement"."message_totals" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "source_id" UUID NOT NULL,
    "node_id" TEXT NOT NULL,
    "variant" TEXT NOT NULL,
    "status" "engagement"."MessageStatus" NOT NULL,
    "reason" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "opened" BIGINT NOT NULL,
    "clicked" BIGINT NOT NULL,
    "unsubscribed" BIGINT NOT NULL,

    CONSTRAINT "message_totals_pkey" PRIMARY KEY ("workspace_id","mode","source_id","node_id","variant","status","reason")
);

-- CreateTable
CREATE TABLE "engagement"."profile_syncs" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "rebuilt_to_id" UUID,
    "rebuild_aspects" TEXT[],
    "rebuilt_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "profile_syncs_pkey" PRIMARY KEY ("workspace_id","mode")
);

-- CreateTable
CREATE TABLE "engagement"."profiles" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "enrollment_source" TEXT NOT NULL,
    "is_restricted" BOOLEAN NOT NULL,
    "has_email" BOOLEAN NOT NULL,
    "locale" TEXT,
    "time_zone" TEXT NOT NULL,
    "home_store_id" UUID,
    "birthday" SMALLINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_activity_at" TIMESTAMPTZ(3) NOT NULL,
    "custom_attributes" JSONB NOT NULL,
    "tags" TEXT[],
    "consents" TEXT[],
    "tier_id" UUID,
    "tier_rank" INTEGER,
    "tier_changed_at" TIMESTAMPTZ(3),
    "tier_lapses_at" TIMESTAMPTZ(3),
    "points_balance" INTEGER NOT NULL,
    "points_earned" BIGINT NOT NULL,
    "points_expire_at" TIMESTAMPTZ(3),
    "order_count" INTEGER NOT NULL,
    "order_revenue_minor" BIGINT NOT NULL,
    "first_order_at" TIMESTAMPTZ(3),
    "last_order_at" TIMESTAMPTZ(3),
    "visit_count" INTEGER NOT NULL,
    "last_visit_at" TIMESTAMPTZ(3),
    "open_coupons" INTEGER NOT NULL,
    "purchase_score" DOUBLE PRECISION,
    "long_gap_score" DOUBLE PRECISION,
    "cart_removal_score" DOUBLE PRECISION,
    "next_order_on" DATE,
    "refreshed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "profiles_pkey" PRIMARY KEY ("workspace_id","mode","member_id")
);

-- CreateTable
CREATE TABLE "engagement"."occurrences" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "kind" "engagement"."OccurrenceKind" NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "ref_id" UUID NOT NULL,
    "place_id" UUID,
    "amount_minor" BIGINT,
    "data" JSONB,

    CONSTRAINT "occurrences_pkey" PRIMARY KEY ("workspace_id","mode","member_id","kind","ref_id")
);

-- CreateTable
CREATE TABLE "engagement"."profile_changes" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "member_id" UUID,
    "record_id" UUID,
    "aspects" TEXT[],
    "event_ids" UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "profile_changes_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "engagement"."segments" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "definition" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "aspects" TEXT[],
    "nested_ids" UUID[],
    "member_count" INTEGER NOT NULL DEFAULT 0,
    "computed_version" INTEGER,
    "computed_at" TIMESTAMPTZ(3),
    "computed_to_id" UUID,
    "failure" TEXT,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "segments_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "engagement"."segment_members" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "segment_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "is_member" BOOLEAN NOT NULL,
    "entered_at" TIMESTAMPTZ(3),
    "recheck_at" TIMESTAMPTZ(3),

    CONSTRAINT "segment_members_pkey" PRIMARY KEY ("workspace_id","mode","segment_id","member_id")
);

-- CreateTable
CREATE TABLE "engagement"."segment_sizes" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "segment_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "member_count" INTEGER NOT NULL,

    CONSTRAINT "segment_sizes_pkey" PRIMARY KEY ("workspace_id","mode","segment_id","hour")
);

-- CreateIndex
CREATE INDEX "campaigns_workspace_id_mode_status_id_idx" ON "engagement"."campaigns"("workspace_id", "mode", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "campaigns_due_idx" ON "engagement"."campaigns"("due_at") WHERE (due_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "campaign_recipients_waiting_idx" ON "engagement"."campaign_recipients"("workspace_id", "mode", "campaign_id", "due_at", "member_id") WHERE (state = 'WAITING');

-- CreateIndex
CREATE INDEX "campaign_recipients_member_idx" ON "engagement"."campaign_recipients"("workspace_id", "mode", "member_id", "due_at");

-- CreateIndex
CREATE INDEX "attributed_orders_workspace_id_mode_source_id_member_id_idx" ON "engagement"."attributed_orders"("workspace_id", "mode", "source_id", "member_id");

-- CreateIndex
CREATE INDEX "attributed_orders_workspace_id_mode_member_id_idx" ON "engagement"."attributed_orders"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE INDEX "journeys_workspace_id_mode_kind_id_idx" ON "engagement"."journeys"("workspace_id", "mode", "kind", "id" DESC);

-- CreateIndex
CREATE INDEX "journey_triggers_workspace_id_mode_journey_id_idx" ON "engagement"."journey_triggers"("workspace_id", "mode", "journey_id");

-- CreateIndex
CREATE INDEX "journey_runs_workspace_id_mode_member_id_id_idx" ON "engagement"."journey_runs"("workspace_id", "mode", "member_id", "id" DESC);

-- CreateIndex
CREATE INDEX "journey_runs_standing_idx" ON "engagement"."journey_runs"("workspace_id", "mode", "journey_id", "node_id", "id") WHERE (ended_at IS NULL);

-- CreateIndex
CREATE INDEX "journey_runs_due_idx" ON "engagement"."journey_runs"("workspace_id", "due_at") WHERE (due_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "journey_runs_ended_idx" ON "engagement"."journey_runs"("ended_at") WHERE (ended_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "journey_runs_workspace_id_mode_journey_id_member_id_entry_k_key" ON "engagement"."journey_runs"("workspace_id", "mode", "journey_id", "member_id", "entry_key");

-- CreateIndex
CREATE UNIQUE INDEX "journey_runs_active_key" ON "engagement"."journey_runs"("workspace_id", "mode", "journey_id", "member_id") WHERE (ended_at IS NULL);

-- CreateIndex
CREATE INDEX "automations_due_idx" ON "engagement"."automations"("due_at") WHERE (due_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "message_contents_used_at_idx" ON "engagement"."message_contents"("used_at");

-- CreateIndex
CREATE INDEX "occurrences_member_idx" ON "engagement"."occurrences"("workspace_id", "mode", "member_id", "kind", "name", "occurred_at");

-- CreateIndex
CREATE INDEX "occurrences_kind_idx" ON "engagement"."occurrences"("workspace_id", "mode", "kind", "name", "occurred_at", "member_id");

-- CreateIndex
CREATE INDEX "occurrences_ended_idx" ON "engagement"."occurrences"("occurred_at") WHERE (kind <> 'RECORD');

-- CreateIndex
CREATE UNIQUE INDEX "segments_workspace_id_mode_name_key" ON "engagement"."segments"("workspace_id", "mode", "name");

-- CreateIndex
CREATE INDEX "segment_members_workspace_id_mode_member_id_idx" ON "engagement"."segment_members"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE INDEX "segment_members_recheck_idx" ON "engagement"."segment_members"("recheck_at") WHERE (recheck_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "messages_source_idx" ON "engagement"."messages"("workspace_id", "mode", "source_id", "node_id", "variant", "status") WHERE (source_id IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "coupons_source_key" ON "loyalty"."coupons"("workspace_id", "mode", "source") WHERE (source IS NOT NULL);

-- AddForeignKey
ALTER TABLE "engagement"."campaign_recipients" ADD CONSTRAINT "campaign_recipients_workspace_id_mode_campaign_id_fkey" FOREIGN KEY ("workspace_id", "mode", "campaign_id") REFERENCES "engagement"."campaigns"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "engagement"."journey_versions" ADD CONSTRAINT "journey_versions_workspace_id_mode_journey_id_fkey" FOREIGN KEY ("workspace_id", "mode", "journey_id") REFERENCES "engagement"."journeys"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "engagement"."segment_sizes" ADD CONSTRAINT "segment_sizes_workspace_id_mode_segment_id_fkey" FOREIGN KEY ("workspace_id", "mode", "segment_id") REFERENCES "engagement"."segments"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Who unsubscribed by a link in a message so far.
UPDATE "engagement"."messages" AS m SET "unsubscribed_at" = e."occurred_at"
  FROM "engagement"."message_events" AS e
 WHERE e."workspace_id" = m."workspace_id" AND e."mode" = m."mode" AND e."message_id" = m."id"
   AND e."kind" = 'UNSUBSCRIBED';
