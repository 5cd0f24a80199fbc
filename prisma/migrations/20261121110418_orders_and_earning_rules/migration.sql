-- CreateEnum
CREATE TYPE "commerce"."EarningRuleKind" AS ENUM ('BASE', 'BONUS');

-- CreateEnum
CREATE TYPE "commerce"."EarningRuleScope" AS ENUM ('ORDER', 'RECEIPT', 'BOTH');

-- DropIndex
DROP INDEX "commerce"."orders_member_idx";

-- DropIndex
DROP INDEX "commerce"."orders_workspace_id_mode_occurred_at_idx";

-- CreateTable
CREATE TABLE "commerce"."earning_rules" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "kind" "commerce"."EarningRuleKind" NOT NULL,
    "name" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "applies_to" "commerce"."EarningRuleScope" NOT NULL,
    "priority" INTEGER NOT NULL,
    "rate" DECIMAL(9,4),
    "currency" CHAR(3),
    "minimum_minor" BIGINT NOT NULL,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "category_ids" UUID[],
    "product_ids" UUID[],
    "multiplier" DECIMAL(6,3),
    "extra_points" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "earning_rules_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "earning_rules_workspace_id_name_key" ON "commerce"."earning_rules"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "orders_member_idx" ON "commerce"."orders"("workspace_id", "mode", "member_id", "occurred_at" DESC, "id" DESC) WHERE (member_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "orders_occurred_idx" ON "commerce"."orders"("workspace_id", "mode", "occurred_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_status_idx" ON "commerce"."orders"("workspace_id", "mode", "status", "occurred_at" DESC, "id" DESC);
