-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "commerce";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "engagement";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "loyalty";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "model";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "platform";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "workspace";

-- CreateEnum
CREATE TYPE "commerce"."StoreStatus" AS ENUM ('ACTIVE', 'PAUSED', 'ARCHIVED');

-- CreateEnum
CREATE TYPE "engagement"."SuppressionReason" AS ENUM ('UNSUBSCRIBED', 'BOUNCED', 'COMPLAINED');

-- CreateEnum
CREATE TYPE "loyalty"."MemberStatus" AS ENUM ('PENDING', 'ACTIVE', 'UNSUBSCRIBED', 'INACTIVE', 'DEACTIVATION_PENDING', 'DELETED');

-- CreateEnum
CREATE TYPE "loyalty"."EnrollmentSource" AS ENUM ('API', 'QR', 'PORTAL', 'WEB', 'IMPORT');

-- CreateEnum
CREATE TYPE "loyalty"."PointsEntryKind" AS ENUM ('AWARD', 'ADJUSTMENT');

-- CreateEnum
CREATE TYPE "loyalty"."CustomFieldType" AS ENUM ('TEXT', 'NUMBER', 'DATE', 'BOOLEAN', 'ENUM', 'LIST');

-- CreateEnum
CREATE TYPE "platform"."Mode" AS ENUM ('LIVE', 'TEST');

-- CreateEnum
CREATE TYPE "model"."WalletPlan" AS ENUM ('TRIAL', 'PAID', 'PAUSED');

-- CreateEnum
CREATE TYPE "model"."CreditAccount" AS ENUM ('WALLET', 'PROMOTION', 'DEPOSIT', 'USAGE');

-- CreateEnum
CREATE TYPE "model"."CreditEntryKind" AS ENUM ('TRIAL_GIFT', 'DEPOSIT', 'USAGE', 'REFUND');

-- CreateEnum
CREATE TYPE "model"."ReservationStatus" AS ENUM ('HELD', 'SETTLED', 'RELEASED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "workspace"."Role" AS ENUM ('OWNER', 'ADMIN', 'MEMBER');

-- CreateTable
CREATE TABLE "commerce"."stores" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "latitude" DOUBLE PRECISION,
    "longitude" DOUBLE PRECISION,
    "geofence_radius_meters" INTEGER NOT NULL DEFAULT 200,
    "status" "commerce"."StoreStatus" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stores_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engagement"."suppressions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "email_index" TEXT NOT NULL,
    "reason" "engagement"."SuppressionReason" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "loyalty"."members" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "email_index" TEXT,
    "email_sealed" BYTEA,
    "name_sealed" BYTEA,
    "phone_sealed" BYTEA,
    "birth_sealed" BYTEA,
    "external_id" TEXT,
    "program_id" TEXT,
    "home_store_id" UUID,
    "locale" TEXT,
    "status" "loyalty"."MemberStatus" NOT NULL,
    "status_before_erasure" "loyalty"."MemberStatus",
    "enrollment_source" "loyalty"."EnrollmentSource" NOT NULL,
    "is_restricted" BOOLEAN NOT NULL DEFAULT false,
    "custom_attributes" JSONB NOT NULL DEFAULT '{}',
    "points_balance" INTEGER NOT NULL DEFAULT 0,
    "points_earned" BIGINT NOT NULL DEFAULT 0,
    "points_sequence" INTEGER NOT NULL DEFAULT 0,
    "current_tier_id" UUID,
    "erase_after" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),
    "last_activity_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "members_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "loyalty"."points_entries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "sequence" INTEGER NOT NULL,
    "kind" "loyalty"."PointsEntryKind" NOT NULL,
    "amount" INTEGER NOT NULL,
    "balance_after" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "points_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "loyalty"."tiers" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "rank" INTEGER NOT NULL,
    "upgrade_threshold" INTEGER NOT NULL,
    "multiplier" DECIMAL(6,3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tiers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "loyalty"."custom_fields" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "type" "loyalty"."CustomFieldType" NOT NULL,
    "options" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "custom_fields_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model"."wallets" (
    "workspace_id" UUID NOT NULL,
    "balance" BIGINT NOT NULL,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "trial_used" BIGINT NOT NULL DEFAULT 0,
    "plan" "model"."WalletPlan" NOT NULL DEFAULT 'TRIAL',
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "wallets_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "model"."credit_entries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "kind" "model"."CreditEntryKind" NOT NULL,
    "account" "model"."CreditAccount" NOT NULL,
    "amount" BIGINT NOT NULL,
    "balance_after" BIGINT,
    "sequence" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model"."credit_reservations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "settled" BIGINT,
    "purpose" TEXT NOT NULL,
    "status" "model"."ReservationStatus" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "credit_reservations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "platform"."workspace_keys" (
    "key_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "workspace_keys_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "platform"."outbox" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "type" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "relayed_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "platform"."idempotency_keys" (
    "workspace_id" UUID NOT NULL,
    "actor" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "answer" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("workspace_id","actor","key")
);

-- CreateTable
CREATE TABLE "platform"."audit_entries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "request_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "platform"."write_guards" (
    "workspace_id" UUID NOT NULL,
    "actor" TEXT NOT NULL,
    "guard" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "write_guards_pkey" PRIMARY KEY ("workspace_id","actor","guard","window_start")
);

-- CreateTable
CREATE TABLE "platform"."schedules" (
    "name" TEXT NOT NULL,
    "next_run_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "workspace"."workspaces" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "currency" CHAR(3) NOT NULL DEFAULT 'USD',
    "value_cap" INTEGER NOT NULL DEFAULT 100000,
    "requests_per_minute" INTEGER NOT NULL DEFAULT 6000,
    "value_writes_per_minute" INTEGER NOT NULL DEFAULT 1200,
    "record_writes_per_minute" INTEGER NOT NULL DEFAULT 1200,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace"."accounts" (
    "id" UUID NOT NULL,
    "email_index" TEXT NOT NULL,
    "email_sealed" BYTEA NOT NULL,
    "name_sealed" BYTEA NOT NULL,
    "avatar_url" TEXT,
    "password_hash" TEXT NOT NULL,
    "token_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace"."memberships" (
    "workspace_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "role" "workspace"."Role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("workspace_id","account_id")
);

-- CreateTable
CREATE TABLE "workspace"."invitations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "email_index" TEXT NOT NULL,
    "email_sealed" BYTEA NOT NULL,
    "role" "workspace"."Role" NOT NULL,
    "token_hash" TEXT NOT NULL,
    "invited_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace"."password_resets" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "password_resets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace"."api_keys" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace"."module_switches" (
    "workspace_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "is_enabled" BOOLEAN NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "module_switches_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateTable
CREATE TABLE "workspace"."call_log" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "actor" TEXT NOT NULL,
    "door" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "request_id" TEXT NOT NULL,
    "called_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "call_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "stores_workspace_id_id_idx" ON "commerce"."stores"("workspace_id", "id" DESC);

-- CreateIndex
CREATE INDEX "stores_workspace_id_status_id_idx" ON "commerce"."stores"("workspace_id", "status", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "stores_workspace_id_id_key" ON "commerce"."stores"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "suppressions_workspace_id_mode_email_index_reason_key" ON "engagement"."suppressions"("workspace_id", "mode", "email_index", "reason");

-- CreateIndex
CREATE INDEX "members_workspace_id_mode_status_id_idx" ON "loyalty"."members"("workspace_id", "mode", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "members_workspace_id_mode_program_id_id_idx" ON "loyalty"."members"("workspace_id", "mode", "program_id", "id" DESC);

-- CreateIndex
CREATE INDEX "members_erase_after_idx" ON "loyalty"."members"("erase_after");

-- CreateIndex
CREATE INDEX "members_tier_idx" ON "loyalty"."members"("workspace_id", "current_tier_id") WHERE (current_tier_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "members_custom_attributes_idx" ON "loyalty"."members" USING GIN ("custom_attributes" jsonb_path_ops);

-- CreateIndex
CREATE UNIQUE INDEX "members_workspace_id_mode_id_key" ON "loyalty"."members"("workspace_id", "mode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "members_workspace_id_mode_email_index_key" ON "loyalty"."members"("workspace_id", "mode", "email_index");

-- CreateIndex
CREATE UNIQUE INDEX "members_workspace_id_mode_external_id_key" ON "loyalty"."members"("workspace_id", "mode", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "points_entries_workspace_id_mode_member_id_sequence_key" ON "loyalty"."points_entries"("workspace_id", "mode", "member_id", "sequence" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "tiers_workspace_id_id_key" ON "loyalty"."tiers"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tiers_workspace_id_rank_key" ON "loyalty"."tiers"("workspace_id", "rank");

-- CreateIndex
CREATE UNIQUE INDEX "tiers_workspace_id_name_key" ON "loyalty"."tiers"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "custom_fields_workspace_id_key_key" ON "loyalty"."custom_fields"("workspace_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "credit_entries_workspace_id_account_sequence_key" ON "model"."credit_entries"("workspace_id", "account", "sequence" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "credit_entries_workspace_id_account_reference_key" ON "model"."credit_entries"("workspace_id", "account", "reference");

-- CreateIndex
CREATE INDEX "credit_reservations_status_expires_at_idx" ON "model"."credit_reservations"("status", "expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "credit_reservations_workspace_id_id_key" ON "model"."credit_reservations"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "workspace_keys_workspace_id_purpose_idx" ON "platform"."workspace_keys"("workspace_id", "purpose");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_keys_current_key" ON "platform"."workspace_keys"("workspace_id", "purpose") WHERE (retired_at IS NULL);

-- CreateIndex
CREATE INDEX "outbox_pending_idx" ON "platform"."outbox"("created_at") WHERE (relayed_at IS NULL);

-- CreateIndex
CREATE INDEX "outbox_relayed_at_idx" ON "platform"."outbox"("relayed_at");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "platform"."idempotency_keys"("expires_at");

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_id_idx" ON "platform"."audit_entries"("workspace_id", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_resource_type_resource_id_id_idx" ON "platform"."audit_entries"("workspace_id", "resource_type", "resource_id", "id" DESC);

-- CreateIndex
CREATE INDEX "write_guards_window_start_idx" ON "platform"."write_guards"("window_start");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_email_index_key" ON "workspace"."accounts"("email_index");

-- CreateIndex
CREATE INDEX "memberships_account_id_created_at_idx" ON "workspace"."memberships"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "workspace"."invitations"("token_hash");

-- CreateIndex
CREATE INDEX "invitations_workspace_id_id_idx" ON "workspace"."invitations"("workspace_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "password_resets_token_hash_key" ON "workspace"."password_resets"("token_hash");

-- CreateIndex
CREATE INDEX "password_resets_account_id_idx" ON "workspace"."password_resets"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_secret_hash_key" ON "workspace"."api_keys"("secret_hash");

-- CreateIndex
CREATE INDEX "api_keys_workspace_id_revoked_at_id_idx" ON "workspace"."api_keys"("workspace_id", "revoked_at", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_workspace_id_id_key" ON "workspace"."api_keys"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "call_log_workspace_id_actor_id_idx" ON "workspace"."call_log"("workspace_id", "actor", "id" DESC);

-- CreateIndex
CREATE INDEX "call_log_called_at_idx" ON "workspace"."call_log"("called_at");

-- AddForeignKey
ALTER TABLE "loyalty"."members" ADD CONSTRAINT "members_workspace_id_current_tier_id_fkey" FOREIGN KEY ("workspace_id", "current_tier_id") REFERENCES "loyalty"."tiers"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."points_entries" ADD CONSTRAINT "points_entries_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "workspace"."memberships" ADD CONSTRAINT "memberships_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"."workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace"."memberships" ADD CONSTRAINT "memberships_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "workspace"."accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace"."invitations" ADD CONSTRAINT "invitations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"."workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace"."password_resets" ADD CONSTRAINT "password_resets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "workspace"."accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace"."api_keys" ADD CONSTRAINT "api_keys_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"."workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace"."module_switches" ADD CONSTRAINT "module_switches_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"."workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
