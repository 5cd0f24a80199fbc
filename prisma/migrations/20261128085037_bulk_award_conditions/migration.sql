-- AlterTable
ALTER TABLE "loyalty"."bulk_awards" ADD COLUMN     "points_min" INTEGER,
ADD COLUMN     "tag_id" UUID;
