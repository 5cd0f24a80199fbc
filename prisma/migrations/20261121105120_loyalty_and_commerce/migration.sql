-- CreateEnum
CREATE TYPE "commerce"."ProductStatus" AS ENUM ('ACTIVE', 'ARCHIVED');

-- CreateEnum
CREATE TYPE "commerce"."OrderStatus" AS ENUM ('PLACED', 'PAID', 'FULFILLED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CANCELLED');

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
ALTER TABLE "commerce"."stores" ADD COLUMN     "time_zone" TEXT;

-- AlterTable
ALTER TABLE "loyalty"."points_entries" ADD COLUMN     "source" TEXT;

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
CREATE INDEX "orders_member_idx" ON "commerce"."orders"("workspace_id", "mode", "member_id", "occurred_at" DESC) WHERE (member_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "orders_workspace_id_mode_occurred_at_idx" ON "commerce"."orders"("workspace_id", "mode", "occurred_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "orders_workspace_id_mode_external_order_id_key" ON "commerce"."orders"("workspace_id", "mode", "external_order_id");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_workspace_id_mode_order_id_external_id_key" ON "commerce"."refunds"("workspace_id", "mode", "order_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "points_entries_source_key" ON "loyalty"."points_entries"("workspace_id", "mode", "source") WHERE (source IS NOT NULL);

-- AddForeignKey
ALTER TABLE "commerce"."refunds" ADD CONSTRAINT "refunds_workspace_id_mode_order_id_fkey" FOREIGN KEY ("workspace_id", "mode", "order_id") REFERENCES "commerce"."orders"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
