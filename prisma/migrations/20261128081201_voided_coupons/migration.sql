-- AlterTable
ALTER TABLE "loyalty"."coupons" ADD COLUMN     "voided_at" TIMESTAMPTZ(3);
