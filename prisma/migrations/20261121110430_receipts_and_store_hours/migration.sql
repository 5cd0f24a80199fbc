-- CreateEnum
CREATE TYPE "commerce"."ReceiptStatus" AS ENUM ('SUBMITTED', 'IN_REVIEW', 'APPROVED', 'REJECTED', 'DUPLICATE');

-- CreateEnum
CREATE TYPE "commerce"."OcrStatus" AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED', 'SKIPPED');

-- AlterTable
ALTER TABLE "commerce"."stores" ADD COLUMN     "hours" JSONB NOT NULL DEFAULT '[]';

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

-- By hand:
-- What is sealed cannot be compressed; trying costs time.
ALTER TABLE "commerce"."receipt_images" ALTER COLUMN "sealed" SET STORAGE EXTERNAL;
