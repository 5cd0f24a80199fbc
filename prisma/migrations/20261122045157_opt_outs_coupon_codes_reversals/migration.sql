-- DropIndex
DROP INDEX "loyalty"."coupons_workspace_id_mode_code_key";

-- DropIndex
DROP INDEX "loyalty"."points_entries_earned_idx";

-- AlterTable: codes so far are in upper case.
ALTER TABLE "loyalty"."coupons" ADD COLUMN     "code_key" TEXT;
UPDATE "loyalty"."coupons" SET "code_key" = upper("code");
ALTER TABLE "loyalty"."coupons" ALTER COLUMN "code_key" SET NOT NULL;

-- AlterTable: of members whose address is unsubscribed those are known here whom that made UNSUBSCRIBED.
ALTER TABLE "loyalty"."members" ADD COLUMN     "is_unsubscribed" BOOLEAN NOT NULL DEFAULT false;
UPDATE "loyalty"."members" SET "is_unsubscribed" = true
 WHERE 'UNSUBSCRIBED' IN ("status", "status_before_erasure");

-- AlterTable
ALTER TABLE "loyalty"."point_lots" ADD COLUMN     "expired" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "loyalty"."points_entries" ADD COLUMN     "earned_at" TIMESTAMPTZ(3),
ADD COLUMN     "reverses_id" UUID;
UPDATE "loyalty"."points_entries" SET "earned_at" = "created_at";
-- What reversals and refunds took back is named by their sources and descriptions.
UPDATE "loyalty"."points_entries" AS r
   SET "reverses_id" = e."id", "earned_at" = e."created_at"
  FROM "loyalty"."points_entries" AS e
 WHERE r."kind" = 'REVERSAL' AND e."workspace_id" = r."workspace_id" AND e."mode" = r."mode"
   AND e."member_id" = r."member_id"
   AND (r."source" = 'reversal:' || e."id"
        OR r."source" LIKE 'refund:%' AND r."description" LIKE 'Refund of order %'
           AND e."source" = 'order:' || substr(r."description", length('Refund of order ') + 1));
ALTER TABLE "loyalty"."points_entries" ALTER COLUMN "earned_at" SET NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "coupons_workspace_id_mode_code_key_key" ON "loyalty"."coupons"("workspace_id", "mode", "code_key");

-- CreateIndex
CREATE INDEX "points_entries_earned_idx" ON "loyalty"."points_entries"("workspace_id", "mode", "member_id", "earned_at") WHERE (earned <> 0);

-- CreateIndex
CREATE INDEX "points_entries_reverses_idx" ON "loyalty"."points_entries"("workspace_id", "mode", "reverses_id") WHERE (reverses_id IS NOT NULL);
