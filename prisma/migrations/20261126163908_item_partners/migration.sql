-- CreateEnum
CREATE TYPE "model"."ItemSource" AS ENUM ('ORDER_LINES', 'EVENTS');

-- CreateTable
CREATE TABLE "model"."uncounted_baskets" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "order_id" UUID,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "item_ids" JSONB NOT NULL,

    CONSTRAINT "uncounted_baskets_pkey" PRIMARY KEY ("workspace_id","mode","member_id","id")
);

-- CreateTable
CREATE TABLE "model"."item_partners" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "source" "model"."ItemSource" NOT NULL,
    "item_id" TEXT NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL,
    "partner_ids" TEXT[],
    "partner_weights" DOUBLE PRECISION[],

    CONSTRAINT "item_partners_pkey" PRIMARY KEY ("workspace_id","mode","source","item_id")
);

-- CreateTable
CREATE TABLE "model"."basket_totals" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "source" "model"."ItemSource" NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL,
    "is_corrected" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "basket_totals_pkey" PRIMARY KEY ("workspace_id","mode","source")
);

-- Facts that are there already are counted in the next night.
INSERT INTO "model"."basket_totals" ("workspace_id", "mode", "source", "weight", "is_corrected")
SELECT DISTINCT "workspace_id", "mode", 'ORDER_LINES'::"model"."ItemSource", 0::float8, true
  FROM "model"."member_statistics";
