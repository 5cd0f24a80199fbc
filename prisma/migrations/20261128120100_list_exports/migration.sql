-- CreateEnum
CREATE TYPE "platform"."ExportKind" AS ENUM ('MEMBERS', 'POINTS', 'ORDERS', 'COUPONS', 'AUDIT');

-- CreateEnum
CREATE TYPE "platform"."ExportFormat" AS ENUM ('CSV', 'JSON_LINES');

-- CreateEnum
CREATE TYPE "platform"."ExportStatus" AS ENUM ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED');

-- CreateTable
CREATE TABLE "platform"."exports" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "kind" "platform"."ExportKind" NOT NULL,
    "format" "platform"."ExportFormat" NOT NULL,
    "status" "platform"."ExportStatus" NOT NULL,
    "filter_sealed" BYTEA,
    "slot" INTEGER NOT NULL,
    "total" INTEGER NOT NULL,
    "processed" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "parts" INTEGER NOT NULL DEFAULT 0,
    "position" TEXT,
    "run" INTEGER NOT NULL DEFAULT 0,
    "actor" TEXT NOT NULL,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "exports_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "platform"."export_parts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "export_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "export_parts_pkey" PRIMARY KEY ("workspace_id","mode","export_id","part")
);

-- CreateIndex
CREATE INDEX "exports_expires_at_idx" ON "platform"."exports"("expires_at") WHERE (expires_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "exports_slot_key" ON "platform"."exports"("workspace_id", "mode", "slot") WHERE (finished_at IS NULL);

-- AddForeignKey
ALTER TABLE "platform"."export_parts" ADD CONSTRAINT "export_parts_workspace_id_mode_export_id_fkey" FOREIGN KEY ("workspace_id", "mode", "export_id") REFERENCES "platform"."exports"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
