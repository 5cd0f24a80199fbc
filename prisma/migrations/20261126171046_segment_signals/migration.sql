-- AlterTable
ALTER TABLE "engagement"."profiles" ADD COLUMN     "is_likely_lapsed" BOOLEAN,
ADD COLUMN     "next_order_confidence" TEXT,
ADD COLUMN     "overdue_cycles" DOUBLE PRECISION;
