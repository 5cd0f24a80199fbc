-- AlterTable
ALTER TABLE "loyalty"."coupon_batches" ADD COLUMN     "actor" TEXT;

-- AlterTable
ALTER TABLE "loyalty"."tier_recalculations" ADD COLUMN     "actor" TEXT;

-- AlterTable
ALTER TABLE "workspace"."test_data_purges" ADD COLUMN     "actor" TEXT;
