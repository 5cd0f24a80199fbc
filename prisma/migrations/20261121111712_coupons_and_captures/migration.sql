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
