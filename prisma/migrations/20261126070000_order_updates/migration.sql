-- AlterEnum
ALTER TYPE "model"."DataImportKind" ADD VALUE 'ORDER_UPDATES';

-- CreateTable
CREATE TABLE "model"."order_updates" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "external_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "order_id" UUID NOT NULL,
    "status" "model"."OrderFactStatus" NOT NULL,
    "amount_minor" BIGINT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "order_updates_pkey" PRIMARY KEY ("workspace_id","mode","external_id")
);

-- CreateIndex
CREATE INDEX "order_updates_workspace_id_mode_member_id_order_id_idx" ON "model"."order_updates"("workspace_id", "mode", "member_id", "order_id");
