-- CreateEnum
CREATE TYPE "loyalty"."TierBasis" AS ENUM ('LIFETIME', 'ROLLING');

-- CreateEnum
CREATE TYPE "loyalty"."DowngradePolicy" AS ENUM ('NONE', 'ONE_STEP', 'TO_EARNED');

-- CreateEnum
CREATE TYPE "loyalty"."LoyaltyRunStatus" AS ENUM ('QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED');

-- AlterTable
ALTER TABLE "loyalty"."members" ADD COLUMN     "tier_changed_at" TIMESTAMPTZ(3),
ADD COLUMN     "tier_override_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "loyalty"."points_entries" ADD COLUMN     "earned" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "loyalty"."tiers" ADD COLUMN     "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

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
CREATE INDEX "members_tier_override_idx" ON "loyalty"."members"("tier_override_until") WHERE (tier_override_until IS NOT NULL);

-- CreateIndex
CREATE INDEX "points_entries_earned_idx" ON "loyalty"."points_entries"("workspace_id", "mode", "member_id", "created_at") WHERE (earned <> 0);

-- AddForeignKey
ALTER TABLE "loyalty"."point_lots" ADD CONSTRAINT "point_lots_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- By hand: what the entries of before count for tiers.
UPDATE "loyalty"."points_entries"
   SET "earned" = "amount"
 WHERE "kind" IN ('AWARD', 'EARNING', 'REVERSAL') OR ("kind" = 'ADJUSTMENT' AND "amount" > 0);
