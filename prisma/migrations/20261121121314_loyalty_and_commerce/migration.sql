-- CreateEnum
CREATE TYPE "commerce"."ProductStatus" AS ENUM ('ACTIVE', 'ARCHIVED');

-- CreateEnum
CREATE TYPE "commerce"."EarningRuleKind" AS ENUM ('BASE', 'BONUS');

-- CreateEnum
CREATE TYPE "commerce"."EarningRuleScope" AS ENUM ('ORDER', 'RECEIPT', 'BOTH');

-- CreateEnum
CREATE TYPE "commerce"."OrderStatus" AS ENUM ('PLACED', 'PAID', 'FULFILLED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "commerce"."ReceiptStatus" AS ENUM ('SUBMITTED', 'IN_REVIEW', 'APPROVED', 'REJECTED', 'DUPLICATE');

-- CreateEnum
CREATE TYPE "commerce"."OcrStatus" AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED', 'SKIPPED');

-- CreateEnum
CREATE TYPE "loyalty"."CouponType" AS ENUM ('PERCENT', 'FIXED', 'FREE_SHIPPING', 'FREE_ITEM', 'CUSTOM');

-- CreateEnum
CREATE TYPE "loyalty"."CouponPoolStatus" AS ENUM ('ACTIVE', 'PAUSED', 'ARCHIVED');

-- CreateEnum
CREATE TYPE "loyalty"."CouponStatus" AS ENUM ('AVAILABLE', 'HELD', 'ISSUED', 'REDEEMED', 'VOID');

-- CreateEnum
CREATE TYPE "loyalty"."CouponBatchStatus" AS ENUM ('REQUESTED', 'RUNNING', 'COMPLETED', 'STOPPED');

-- CreateEnum
CREATE TYPE "loyalty"."CaptureType" AS ENUM ('EMAIL', 'STORE');

-- CreateEnum
CREATE TYPE "loyalty"."TagSource" AS ENUM ('API', 'APPLICATION', 'AUTOMATION', 'IMPORT');

-- CreateEnum
CREATE TYPE "loyalty"."ConsentPurpose" AS ENUM ('PRECISE_LOCATION', 'EMAIL_MARKETING', 'PROFILING');

-- CreateEnum
CREATE TYPE "loyalty"."MemberExportStatus" AS ENUM ('PENDING', 'COMPLETED', 'FAILED');

-- CreateEnum
CREATE TYPE "loyalty"."ObjectTypeStatus" AS ENUM ('DRAFT', 'PUBLISHED', 'ARCHIVED');

-- CreateEnum
CREATE TYPE "loyalty"."ObjectFieldType" AS ENUM ('TEXT', 'NUMBER', 'DATE', 'DATETIME', 'BOOLEAN', 'ENUM', 'LIST', 'MEMBER_REF', 'RECORD_REF', 'URL', 'EMAIL');

-- CreateEnum
CREATE TYPE "loyalty"."TierBasis" AS ENUM ('LIFETIME', 'ROLLING');

-- CreateEnum
CREATE TYPE "loyalty"."DowngradePolicy" AS ENUM ('NONE', 'ONE_STEP', 'TO_EARNED');

-- CreateEnum
CREATE TYPE "loyalty"."LoyaltyRunStatus" AS ENUM ('QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "loyalty"."VisitSource" AS ENUM ('QR', 'REDEEM', 'API');

-- CreateEnum
CREATE TYPE "platform"."ImportKind" AS ENUM ('MEMBERS', 'ORDERS', 'CATALOG');

-- CreateEnum
CREATE TYPE "platform"."ImportFormat" AS ENUM ('CSV', 'NDJSON');

-- CreateEnum
CREATE TYPE "platform"."ImportStatus" AS ENUM ('UPLOADING', 'QUEUED', 'RUNNING', 'COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "platform"."ImportSeverity" AS ENUM ('ERROR', 'WARNING');

-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "loyalty"."PointsEntryKind" ADD VALUE 'EARNING';
ALTER TYPE "loyalty"."PointsEntryKind" ADD VALUE 'REDEMPTION';
ALTER TYPE "loyalty"."PointsEntryKind" ADD VALUE 'REVERSAL';
ALTER TYPE "loyalty"."PointsEntryKind" ADD VALUE 'EXPIRY';

-- AlterTable
ALTER TABLE "commerce"."stores" ADD COLUMN     "hours" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "time_zone" TEXT;

-- AlterTable
ALTER TABLE "loyalty"."members" ADD COLUMN     "key_sealed" BYTEA,
ADD COLUMN     "tier_changed_at" TIMESTAMPTZ(3),
ADD COLUMN     "tier_override_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "loyalty"."points_entries" ADD COLUMN     "earned" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "source" TEXT;

-- AlterTable
ALTER TABLE "loyalty"."tiers" ADD COLUMN     "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "commerce"."products" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "external_id" TEXT NOT NULL,
    "sku" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "price_minor" BIGINT,
    "currency" CHAR(3),
    "status" "commerce"."ProductStatus" NOT NULL,
    "category_ids" UUID[],
    "brand_id" UUID,
    "image_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "products_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "commerce"."categories" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "parent_id" UUID,
    "path" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "commerce"."brands" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "brands_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "commerce"."earning_rules" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "kind" "commerce"."EarningRuleKind" NOT NULL,
    "name" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "applies_to" "commerce"."EarningRuleScope" NOT NULL,
    "priority" INTEGER NOT NULL,
    "rate" DECIMAL(9,4),
    "currency" CHAR(3),
    "minimum_minor" BIGINT NOT NULL,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "category_ids" UUID[],
    "product_ids" UUID[],
    "multiplier" DECIMAL(6,3),
    "extra_points" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "earning_rules_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "commerce"."orders" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "external_order_id" TEXT NOT NULL,
    "member_id" UUID,
    "store_id" UUID,
    "coupon_id" UUID,
    "status" "commerce"."OrderStatus" NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "total_minor" BIGINT NOT NULL,
    "subtotal_minor" BIGINT,
    "discount_minor" BIGINT,
    "tax_minor" BIGINT,
    "shipping_minor" BIGINT,
    "refunded_minor" BIGINT NOT NULL DEFAULT 0,
    "items" JSONB NOT NULL DEFAULT '[]',
    "points_awarded" INTEGER,
    "points_reversed" INTEGER NOT NULL DEFAULT 0,
    "fingerprint" BYTEA NOT NULL,
    "import_id" UUID,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "commerce"."refunds" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "order_id" UUID NOT NULL,
    "external_id" TEXT,
    "amount_minor" BIGINT NOT NULL,
    "reason" TEXT,
    "items" JSONB NOT NULL DEFAULT '[]',
    "points_reversed" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "commerce"."receipts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "store_id" UUID,
    "status" "commerce"."ReceiptStatus" NOT NULL,
    "ocr_status" "commerce"."OcrStatus" NOT NULL,
    "note" TEXT,
    "currency" CHAR(3),
    "total_minor" BIGINT,
    "purchased_on" DATE,
    "merchant" TEXT,
    "items" JSONB NOT NULL DEFAULT '[]',
    "confidence" SMALLINT,
    "doubts" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "duplicate_of_id" UUID,
    "points_awarded" INTEGER,
    "reason" TEXT,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "receipts_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "commerce"."receipt_fingerprints" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "receipt_id" UUID NOT NULL,

    CONSTRAINT "receipt_fingerprints_pkey" PRIMARY KEY ("workspace_id","mode","fingerprint")
);

-- CreateTable
CREATE TABLE "commerce"."receipt_images" (
    "receipt_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "delete_after" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "receipt_images_pkey" PRIMARY KEY ("workspace_id","mode","receipt_id")
);

-- CreateTable
CREATE TABLE "commerce"."receipt_settings" (
    "workspace_id" UUID NOT NULL,
    "auto_approve" BOOLEAN NOT NULL,
    "min_confidence" SMALLINT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "receipt_settings_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "loyalty"."coupon_pools" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "coupon_type" "loyalty"."CouponType" NOT NULL,
    "discount_display" TEXT NOT NULL,
    "status" "loyalty"."CouponPoolStatus" NOT NULL,
    "coupons_expire_at" TIMESTAMPTZ(3),
    "low_stock_threshold" INTEGER,
    "codes_voided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "coupon_pools_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "loyalty"."coupon_counts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "pool_id" UUID NOT NULL,
    "stripe" SMALLINT NOT NULL,
    "available" INTEGER NOT NULL,
    "held" INTEGER NOT NULL,
    "issued" INTEGER NOT NULL,
    "redeemed" INTEGER NOT NULL,
    "voided" INTEGER NOT NULL,

    CONSTRAINT "coupon_counts_pkey" PRIMARY KEY ("workspace_id","mode","pool_id","stripe")
);

-- CreateTable
CREATE TABLE "loyalty"."coupon_stocks" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "pool_id" UUID NOT NULL,
    "is_low" BOOLEAN NOT NULL DEFAULT false,
    "last_import" JSONB,

    CONSTRAINT "coupon_stocks_pkey" PRIMARY KEY ("workspace_id","mode","pool_id")
);

-- CreateTable
CREATE TABLE "loyalty"."coupons" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "pool_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "status" "loyalty"."CouponStatus" NOT NULL,
    "member_id" UUID,
    "capture_id" UUID,
    "reservation_id" UUID,
    "held_until" TIMESTAMPTZ(3),
    "issued_at" TIMESTAMPTZ(3),
    "redeemed_at" TIMESTAMPTZ(3),
    "redeemed_store_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "coupons_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."coupon_batches" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "pool_id" UUID NOT NULL,
    "prefix" TEXT,
    "requested" INTEGER NOT NULL,
    "created" INTEGER NOT NULL,
    "status" "loyalty"."CouponBatchStatus" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "coupon_batches_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."captures" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "type" "loyalty"."CaptureType" NOT NULL,
    "email_index" TEXT NOT NULL,
    "email_sealed" BYTEA NOT NULL,
    "store_id" UUID,
    "member_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "captures_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."enrollment_forms" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "source" "loyalty"."EnrollmentSource" NOT NULL,
    "program_id" TEXT,
    "store_id" UUID,
    "token" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "enrollment_forms_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."enrollments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "form_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "consents" TEXT[],
    "token_hash" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "confirmed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "enrollments_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."tags" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "key" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "member_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "loyalty"."member_tags" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "tag_id" UUID NOT NULL,
    "source" "loyalty"."TagSource" NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_tags_pkey" PRIMARY KEY ("workspace_id","mode","member_id","tag_id")
);

-- CreateTable
CREATE TABLE "loyalty"."member_consents" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "purpose" "loyalty"."ConsentPurpose" NOT NULL,
    "is_granted" BOOLEAN NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_consents_pkey" PRIMARY KEY ("workspace_id","mode","member_id","purpose")
);

-- CreateTable
CREATE TABLE "loyalty"."consent_changes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "purpose" "loyalty"."ConsentPurpose" NOT NULL,
    "is_granted" BOOLEAN NOT NULL,
    "source" TEXT,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "consent_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "loyalty"."member_exports" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "status" "loyalty"."MemberExportStatus" NOT NULL,
    "content_sealed" BYTEA,
    "size_bytes" INTEGER,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_exports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "loyalty"."object_types" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "status" "loyalty"."ObjectTypeStatus" NOT NULL,
    "is_api_visible" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "object_types_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "loyalty"."object_fields" (
    "workspace_id" UUID NOT NULL,
    "object_type_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "type" "loyalty"."ObjectFieldType" NOT NULL,
    "is_required" BOOLEAN NOT NULL,
    "options" TEXT[],
    "ref_type" TEXT,
    "default_value" JSONB,
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "object_fields_pkey" PRIMARY KEY ("workspace_id","object_type_id","key")
);

-- CreateTable
CREATE TABLE "loyalty"."object_records" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "object_type_id" UUID NOT NULL,
    "data" JSONB NOT NULL,
    "title" TEXT NOT NULL,
    "search_text" TEXT NOT NULL,
    "terms" BIGINT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "object_records_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."object_record_counts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "object_type_id" UUID NOT NULL,
    "slot" SMALLINT NOT NULL,
    "records" BIGINT NOT NULL,

    CONSTRAINT "object_record_counts_pkey" PRIMARY KEY ("workspace_id","mode","object_type_id","slot")
);

-- CreateTable
CREATE TABLE "loyalty"."programs" (
    "workspace_id" UUID NOT NULL,
    "points_expire_after_days" INTEGER,
    "points_pending_days" INTEGER,
    "tier_basis" "loyalty"."TierBasis" NOT NULL DEFAULT 'LIFETIME',
    "tier_period_days" INTEGER,
    "downgrade_policy" "loyalty"."DowngradePolicy" NOT NULL DEFAULT 'NONE',
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "programs_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "loyalty"."point_lots" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "kind" "loyalty"."PointsEntryKind" NOT NULL,
    "amount" INTEGER NOT NULL,
    "remaining" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "source" TEXT,
    "actor" TEXT NOT NULL,
    "available_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "point_lots_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."bulk_awards" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "status" "loyalty"."LoyaltyRunStatus" NOT NULL,
    "amount" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "member_ids" UUID[],
    "tier_id" UUID,
    "member_status" "loyalty"."MemberStatus",
    "total" INTEGER NOT NULL,
    "processed" INTEGER NOT NULL DEFAULT 0,
    "succeeded" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "after_id" UUID NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_awards_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."tier_recalculations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "status" "loyalty"."LoyaltyRunStatus" NOT NULL,
    "processed" INTEGER NOT NULL DEFAULT 0,
    "upgrades" INTEGER NOT NULL DEFAULT 0,
    "downgrades" INTEGER NOT NULL DEFAULT 0,
    "after_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "tier_recalculations_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."ambassador_codes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "pool_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deactivated_at" TIMESTAMPTZ(3),

    CONSTRAINT "ambassador_codes_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."referrals" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "ambassador_id" UUID NOT NULL,
    "code_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "referrals_pkey" PRIMARY KEY ("workspace_id","mode","member_id")
);

-- CreateTable
CREATE TABLE "loyalty"."referred_orders" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "order_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "referred_orders_pkey" PRIMARY KEY ("workspace_id","mode","order_id")
);

-- CreateTable
CREATE TABLE "loyalty"."ambassador_scores" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "score" INTEGER NOT NULL,
    "visits" INTEGER NOT NULL,
    "referrals" INTEGER NOT NULL,
    "scored_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ambassador_scores_pkey" PRIMARY KEY ("workspace_id","mode","member_id")
);

-- CreateTable
CREATE TABLE "loyalty"."store_visits" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "store_id" UUID NOT NULL,
    "visited_on" DATE NOT NULL,
    "source" "loyalty"."VisitSource" NOT NULL,
    "visited_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "store_visits_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "platform"."imports" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "kind" "platform"."ImportKind" NOT NULL,
    "format" "platform"."ImportFormat" NOT NULL,
    "status" "platform"."ImportStatus" NOT NULL,
    "mapping" JSONB NOT NULL DEFAULT '{}',
    "on_duplicate" TEXT NOT NULL DEFAULT 'UPDATE',
    "parts" INTEGER,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "total" INTEGER,
    "position" INTEGER NOT NULL DEFAULT 0,
    "processed" INTEGER NOT NULL DEFAULT 0,
    "inserted" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "issues" INTEGER NOT NULL DEFAULT 0,
    "run" INTEGER NOT NULL DEFAULT 0,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "imports_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "platform"."import_parts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "import_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "size" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "import_parts_pkey" PRIMARY KEY ("workspace_id","mode","import_id","part")
);

-- CreateTable
CREATE TABLE "platform"."import_issues" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "severity" "platform"."ImportSeverity" NOT NULL,
    "row" INTEGER NOT NULL,
    "column" TEXT,
    "field" TEXT,
    "message" TEXT NOT NULL,

    CONSTRAINT "import_issues_pkey" PRIMARY KEY ("workspace_id","mode","import_id","number")
);

-- CreateTable
CREATE TABLE "workspace"."test_data_purges" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "parts" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "test_data_purges_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "products_sku_idx" ON "commerce"."products"("workspace_id", "mode", "sku") WHERE (sku IS NOT NULL);

-- CreateIndex
CREATE INDEX "products_category_ids_idx" ON "commerce"."products" USING GIN ("category_ids");

-- CreateIndex
CREATE UNIQUE INDEX "products_workspace_id_mode_external_id_key" ON "commerce"."products"("workspace_id", "mode", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "categories_workspace_id_mode_path_key" ON "commerce"."categories"("workspace_id", "mode", "path");

-- CreateIndex
CREATE UNIQUE INDEX "brands_workspace_id_mode_name_key" ON "commerce"."brands"("workspace_id", "mode", "name");

-- CreateIndex
CREATE UNIQUE INDEX "earning_rules_workspace_id_name_key" ON "commerce"."earning_rules"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "orders_member_idx" ON "commerce"."orders"("workspace_id", "mode", "member_id", "occurred_at" DESC, "id" DESC) WHERE (member_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "orders_occurred_idx" ON "commerce"."orders"("workspace_id", "mode", "occurred_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "orders_workspace_id_mode_external_order_id_key" ON "commerce"."orders"("workspace_id", "mode", "external_order_id");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_workspace_id_mode_order_id_external_id_key" ON "commerce"."refunds"("workspace_id", "mode", "order_id", "external_id");

-- CreateIndex
CREATE INDEX "receipts_workspace_id_mode_member_id_id_idx" ON "commerce"."receipts"("workspace_id", "mode", "member_id", "id" DESC);

-- CreateIndex
CREATE INDEX "receipts_workspace_id_mode_status_id_idx" ON "commerce"."receipts"("workspace_id", "mode", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "receipt_fingerprints_workspace_id_mode_receipt_id_idx" ON "commerce"."receipt_fingerprints"("workspace_id", "mode", "receipt_id");

-- CreateIndex
CREATE INDEX "receipt_images_workspace_id_mode_member_id_idx" ON "commerce"."receipt_images"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE INDEX "receipt_images_due_idx" ON "commerce"."receipt_images"("delete_after") WHERE (delete_after IS NOT NULL);

-- CreateIndex
CREATE INDEX "coupons_workspace_id_mode_pool_id_id_idx" ON "loyalty"."coupons"("workspace_id", "mode", "pool_id", "id" DESC);

-- CreateIndex
CREATE INDEX "coupons_workspace_id_mode_pool_id_status_id_idx" ON "loyalty"."coupons"("workspace_id", "mode", "pool_id", "status", "id");

-- CreateIndex
CREATE INDEX "coupons_member_idx" ON "loyalty"."coupons"("workspace_id", "mode", "member_id", "id" DESC) WHERE (member_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "coupons_held_idx" ON "loyalty"."coupons"("held_until") WHERE (held_until IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "coupons_workspace_id_mode_code_key" ON "loyalty"."coupons"("workspace_id", "mode", "code");

-- CreateIndex
CREATE UNIQUE INDEX "coupons_capture_key" ON "loyalty"."coupons"("workspace_id", "mode", "capture_id", "pool_id") WHERE (capture_id IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "coupons_reservation_key" ON "loyalty"."coupons"("workspace_id", "mode", "reservation_id") WHERE (reservation_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "coupon_batches_workspace_id_mode_pool_id_id_idx" ON "loyalty"."coupon_batches"("workspace_id", "mode", "pool_id", "id" DESC);

-- CreateIndex
CREATE INDEX "captures_member_idx" ON "loyalty"."captures"("workspace_id", "mode", "member_id") WHERE (member_id IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "captures_email_key" ON "loyalty"."captures"("workspace_id", "mode", "email_index") WHERE (store_id IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "captures_workspace_id_mode_email_index_store_id_key" ON "loyalty"."captures"("workspace_id", "mode", "email_index", "store_id");

-- CreateIndex
CREATE UNIQUE INDEX "enrollment_forms_token_key" ON "loyalty"."enrollment_forms"("token");

-- CreateIndex
CREATE UNIQUE INDEX "enrollments_token_hash_key" ON "loyalty"."enrollments"("token_hash");

-- CreateIndex
CREATE INDEX "enrollments_workspace_id_mode_form_id_confirmed_at_idx" ON "loyalty"."enrollments"("workspace_id", "mode", "form_id", "confirmed_at");

-- CreateIndex
CREATE UNIQUE INDEX "enrollments_workspace_id_mode_member_id_key" ON "loyalty"."enrollments"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE UNIQUE INDEX "tags_workspace_id_mode_id_key" ON "loyalty"."tags"("workspace_id", "mode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tags_workspace_id_mode_key_key" ON "loyalty"."tags"("workspace_id", "mode", "key");

-- CreateIndex
CREATE INDEX "member_tags_workspace_id_mode_tag_id_member_id_idx" ON "loyalty"."member_tags"("workspace_id", "mode", "tag_id", "member_id" DESC);

-- CreateIndex
CREATE INDEX "consent_changes_workspace_id_mode_member_id_id_idx" ON "loyalty"."consent_changes"("workspace_id", "mode", "member_id", "id" DESC);

-- CreateIndex
CREATE INDEX "member_exports_workspace_id_mode_member_id_idx" ON "loyalty"."member_exports"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE INDEX "member_exports_expires_at_idx" ON "loyalty"."member_exports"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "member_exports_unfinished_key" ON "loyalty"."member_exports"("workspace_id", "mode", "member_id") WHERE (finished_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "object_types_workspace_id_type_key" ON "loyalty"."object_types"("workspace_id", "type");

-- CreateIndex
CREATE UNIQUE INDEX "object_types_workspace_id_id_key" ON "loyalty"."object_types"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "object_records_created_idx" ON "loyalty"."object_records"("workspace_id", "mode", "object_type_id", "id") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "object_records_updated_idx" ON "loyalty"."object_records"("workspace_id", "mode", "object_type_id", "updated_at", "id") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "object_records_title_idx" ON "loyalty"."object_records"("workspace_id", "mode", "object_type_id", "title", "id") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "object_records_terms_idx" ON "loyalty"."object_records" USING GIN ("terms") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "point_lots_member_idx" ON "loyalty"."point_lots"("workspace_id", "mode", "member_id", "expires_at") WHERE (remaining > 0);

-- CreateIndex
CREATE INDEX "point_lots_expiry_idx" ON "loyalty"."point_lots"("workspace_id", "mode", "expires_at") WHERE (remaining > 0 AND expires_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "point_lots_waiting_idx" ON "loyalty"."point_lots"("workspace_id", "mode", "available_at") WHERE (available_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "point_lots_source_key" ON "loyalty"."point_lots"("workspace_id", "mode", "source") WHERE (source IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "tier_recalculations_open_key" ON "loyalty"."tier_recalculations"("workspace_id", "mode") WHERE (finished_at IS NULL);

-- CreateIndex
CREATE INDEX "ambassador_codes_workspace_id_mode_member_id_idx" ON "loyalty"."ambassador_codes"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE UNIQUE INDEX "ambassador_codes_workspace_id_mode_code_key" ON "loyalty"."ambassador_codes"("workspace_id", "mode", "code");

-- CreateIndex
CREATE UNIQUE INDEX "ambassador_codes_live_key" ON "loyalty"."ambassador_codes"("workspace_id", "mode", "member_id") WHERE (deactivated_at IS NULL);

-- CreateIndex
CREATE INDEX "referrals_workspace_id_mode_ambassador_id_idx" ON "loyalty"."referrals"("workspace_id", "mode", "ambassador_id");

-- CreateIndex
CREATE INDEX "referrals_workspace_id_mode_code_id_idx" ON "loyalty"."referrals"("workspace_id", "mode", "code_id");

-- CreateIndex
CREATE INDEX "referrals_workspace_id_mode_created_at_idx" ON "loyalty"."referrals"("workspace_id", "mode", "created_at");

-- CreateIndex
CREATE INDEX "referred_orders_workspace_id_mode_member_id_idx" ON "loyalty"."referred_orders"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE INDEX "referred_orders_workspace_id_mode_created_at_idx" ON "loyalty"."referred_orders"("workspace_id", "mode", "created_at");

-- CreateIndex
CREATE INDEX "ambassador_scores_workspace_id_mode_score_member_id_idx" ON "loyalty"."ambassador_scores"("workspace_id", "mode", "score" DESC, "member_id" DESC);

-- CreateIndex
CREATE INDEX "store_visits_workspace_id_mode_member_id_id_idx" ON "loyalty"."store_visits"("workspace_id", "mode", "member_id", "id" DESC);

-- CreateIndex
CREATE INDEX "store_visits_workspace_id_mode_store_id_visited_on_id_idx" ON "loyalty"."store_visits"("workspace_id", "mode", "store_id", "visited_on" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "store_visits_workspace_id_mode_member_id_store_id_visited_o_key" ON "loyalty"."store_visits"("workspace_id", "mode", "member_id", "store_id", "visited_on");

-- CreateIndex
CREATE INDEX "imports_workspace_id_mode_kind_id_idx" ON "platform"."imports"("workspace_id", "mode", "kind", "id" DESC);

-- CreateIndex
CREATE INDEX "imports_unfinished_idx" ON "platform"."imports"("updated_at") WHERE (finished_at IS NULL);

-- CreateIndex
CREATE INDEX "test_data_purges_workspace_id_id_idx" ON "workspace"."test_data_purges"("workspace_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "test_data_purges_running_key" ON "workspace"."test_data_purges"("workspace_id") WHERE (finished_at IS NULL);

-- CreateIndex
CREATE INDEX "members_listed_idx" ON "loyalty"."members"("workspace_id", "mode", "id" DESC) WHERE (erased_at IS NULL);

-- CreateIndex
CREATE INDEX "members_tier_override_idx" ON "loyalty"."members"("tier_override_until") WHERE (tier_override_until IS NOT NULL);

-- CreateIndex
CREATE INDEX "points_entries_earned_idx" ON "loyalty"."points_entries"("workspace_id", "mode", "member_id", "created_at") WHERE (earned <> 0);

-- CreateIndex
CREATE UNIQUE INDEX "points_entries_source_key" ON "loyalty"."points_entries"("workspace_id", "mode", "source") WHERE (source IS NOT NULL);

-- AddForeignKey
ALTER TABLE "commerce"."refunds" ADD CONSTRAINT "refunds_workspace_id_mode_order_id_fkey" FOREIGN KEY ("workspace_id", "mode", "order_id") REFERENCES "commerce"."orders"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."coupon_counts" ADD CONSTRAINT "coupon_counts_workspace_id_pool_id_fkey" FOREIGN KEY ("workspace_id", "pool_id") REFERENCES "loyalty"."coupon_pools"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."coupon_stocks" ADD CONSTRAINT "coupon_stocks_workspace_id_pool_id_fkey" FOREIGN KEY ("workspace_id", "pool_id") REFERENCES "loyalty"."coupon_pools"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."coupons" ADD CONSTRAINT "coupons_workspace_id_pool_id_fkey" FOREIGN KEY ("workspace_id", "pool_id") REFERENCES "loyalty"."coupon_pools"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."coupons" ADD CONSTRAINT "coupons_workspace_id_mode_capture_id_fkey" FOREIGN KEY ("workspace_id", "mode", "capture_id") REFERENCES "loyalty"."captures"("workspace_id", "mode", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."coupon_batches" ADD CONSTRAINT "coupon_batches_workspace_id_pool_id_fkey" FOREIGN KEY ("workspace_id", "pool_id") REFERENCES "loyalty"."coupon_pools"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."enrollments" ADD CONSTRAINT "enrollments_workspace_id_mode_form_id_fkey" FOREIGN KEY ("workspace_id", "mode", "form_id") REFERENCES "loyalty"."enrollment_forms"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."enrollments" ADD CONSTRAINT "enrollments_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."member_tags" ADD CONSTRAINT "member_tags_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."member_tags" ADD CONSTRAINT "member_tags_workspace_id_mode_tag_id_fkey" FOREIGN KEY ("workspace_id", "mode", "tag_id") REFERENCES "loyalty"."tags"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."member_consents" ADD CONSTRAINT "member_consents_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."consent_changes" ADD CONSTRAINT "consent_changes_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."member_exports" ADD CONSTRAINT "member_exports_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."object_fields" ADD CONSTRAINT "object_fields_workspace_id_object_type_id_fkey" FOREIGN KEY ("workspace_id", "object_type_id") REFERENCES "loyalty"."object_types"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."object_records" ADD CONSTRAINT "object_records_workspace_id_object_type_id_fkey" FOREIGN KEY ("workspace_id", "object_type_id") REFERENCES "loyalty"."object_types"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."object_record_counts" ADD CONSTRAINT "object_record_counts_workspace_id_object_type_id_fkey" FOREIGN KEY ("workspace_id", "object_type_id") REFERENCES "loyalty"."object_types"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."point_lots" ADD CONSTRAINT "point_lots_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."ambassador_codes" ADD CONSTRAINT "ambassador_codes_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."referrals" ADD CONSTRAINT "referrals_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."referrals" ADD CONSTRAINT "referrals_workspace_id_mode_ambassador_id_fkey" FOREIGN KEY ("workspace_id", "mode", "ambassador_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."referrals" ADD CONSTRAINT "referrals_workspace_id_mode_code_id_fkey" FOREIGN KEY ("workspace_id", "mode", "code_id") REFERENCES "loyalty"."ambassador_codes"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."referred_orders" ADD CONSTRAINT "referred_orders_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."referrals"("workspace_id", "mode", "member_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."ambassador_scores" ADD CONSTRAINT "ambassador_scores_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."store_visits" ADD CONSTRAINT "store_visits_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "platform"."import_parts" ADD CONSTRAINT "import_parts_workspace_id_mode_import_id_fkey" FOREIGN KEY ("workspace_id", "mode", "import_id") REFERENCES "platform"."imports"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "platform"."import_issues" ADD CONSTRAINT "import_issues_workspace_id_mode_import_id_fkey" FOREIGN KEY ("workspace_id", "mode", "import_id") REFERENCES "platform"."imports"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- By hand: what is sealed cannot be compressed; trying costs time.
ALTER TABLE "platform"."import_parts" ALTER COLUMN "sealed" SET STORAGE EXTERNAL;
ALTER TABLE "commerce"."receipt_images" ALTER COLUMN "sealed" SET STORAGE EXTERNAL;

-- By hand: what the entries of before count for tiers.
UPDATE "loyalty"."points_entries"
   SET "earned" = "amount"
 WHERE "kind" = 'AWARD' OR ("kind" = 'ADJUSTMENT' AND "amount" > 0);

-- By hand: functions that make what filters and search look for, and the index of the latter. Hashes hold type and
-- mode, so that one workspace's values are never read for another's.

-- Every text value of a record under some keys, in lower case, one a line; 20,000 characters at most, because each
-- becomes two entries of an index.
CREATE FUNCTION "loyalty"."object_text"(data JSONB, keys TEXT[]) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(coalesce(string_agg(lower(v.item #>> '{}'), E'\n' ORDER BY k.place, v.place), ''), 20000)
    FROM unnest(keys) WITH ORDINALITY AS k(key, place)
   CROSS JOIN LATERAL jsonb_array_elements(
           CASE jsonb_typeof(data -> k.key) WHEN 'array' THEN data -> k.key
                ELSE jsonb_build_array(data -> k.key) END) WITH ORDINALITY AS v(item, place)
   WHERE data ? k.key
$$;

-- Every value of a record as a hash of field and value, each item of a list for itself. MD5 gives the same
-- wherever a dump is restored.
CREATE FUNCTION "loyalty"."object_terms"(object_type UUID, mode "platform"."Mode", data JSONB) RETURNS BIGINT[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(('x' || left(md5(
           object_type::text || CASE mode WHEN 'LIVE' THEN '+' ELSE '-' END || e.key || '=' || v.item::text), 16)
         )::bit(64)::bigint), '{}')
    FROM jsonb_each(data) AS e(key, value)
   CROSS JOIN LATERAL jsonb_array_elements(
           CASE jsonb_typeof(e.value) WHEN 'array' THEN e.value
                ELSE jsonb_build_array(e.value) END) AS v(item)
$$;

-- Every two and every three characters in a row of a text, hashed; from `shortest` on. A loop takes a third of the time
-- that a query over the characters would.
CREATE FUNCTION "loyalty"."object_grams"(
  object_type UUID, mode "platform"."Mode", words TEXT, shortest INT) RETURNS BIGINT[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
DECLARE
  seed BIGINT := hashtextextended(object_type::text, CASE mode WHEN 'LIVE' THEN 0 ELSE 1 END);
  chars TEXT[] := string_to_array(words, NULL);
  grams BIGINT[] := '{}';
  last INT := coalesce(cardinality(chars), 0);
BEGIN
  FOR i IN 1..last - 1 LOOP
    IF shortest <= 2 THEN
      grams := grams || hashtextextended(chars[i] || chars[i + 1], seed);
    END IF;
    IF i < last - 1 THEN
      grams := grams || hashtextextended(chars[i] || chars[i + 1] || chars[i + 2], seed);
    END IF;
  END LOOP;
  RETURN grams;
END
$$;

-- Not partial: the planner reads no statistics of a partial index's expression, and without them takes every piece
-- of a text for rare.
CREATE INDEX "object_records_grams_idx" ON "loyalty"."object_records"
  USING GIN ("loyalty"."object_grams"(object_type_id, mode, search_text, 2));

-- A list of pending entries would be read whole by every look-up.
ALTER INDEX "loyalty"."object_records_grams_idx" SET (fastupdate = off);
ALTER INDEX "loyalty"."object_records_terms_idx" SET (fastupdate = off);
