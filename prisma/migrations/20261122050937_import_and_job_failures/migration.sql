-- AlterEnum
ALTER TYPE "loyalty"."CouponBatchStatus" ADD VALUE 'FAILED';

-- AlterEnum
ALTER TYPE "loyalty"."LoyaltyRunStatus" ADD VALUE 'FAILED';

-- AlterTable
ALTER TABLE "loyalty"."bulk_awards" ADD COLUMN     "failure" TEXT;

-- AlterTable
ALTER TABLE "loyalty"."coupon_batches" ADD COLUMN     "failure" TEXT;

-- AlterTable
ALTER TABLE "loyalty"."member_exports" ADD COLUMN     "failure" TEXT;

-- AlterTable
ALTER TABLE "loyalty"."tier_recalculations" ADD COLUMN     "failure" TEXT;

-- AlterTable
ALTER TABLE "model"."data_import_previews" RENAME COLUMN "actor" TO "administrator";

-- AlterTable
ALTER TABLE "platform"."imports" ADD COLUMN     "failure" TEXT;

-- AlterTable
ALTER TABLE "workspace"."test_data_purges" ADD COLUMN     "failure" TEXT;
