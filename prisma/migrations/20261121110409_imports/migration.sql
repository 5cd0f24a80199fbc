-- CreateEnum
CREATE TYPE "platform"."ImportKind" AS ENUM ('MEMBERS', 'ORDERS', 'CATALOG');

-- CreateEnum
CREATE TYPE "platform"."ImportFormat" AS ENUM ('CSV', 'NDJSON');

-- CreateEnum
CREATE TYPE "platform"."ImportStatus" AS ENUM ('UPLOADING', 'QUEUED', 'RUNNING', 'COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "platform"."ImportSeverity" AS ENUM ('ERROR', 'WARNING');

-- CreateTable
CREATE TABLE "platform"."imports" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "kind" "platform"."ImportKind" NOT NULL,
    "format" "platform"."ImportFormat" NOT NULL,
    "status" "platform"."ImportStatus" NOT NULL,
    "mapping" JSONB NOT NULL DEFAULT '{}',
    "on_duplicate" TEXT NOT NULL DEFAULT 'UPDATE',
    "parts" INTEGER,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "total" INTEGER,
    "position" INTEGER NOT NULL DEFAULT 0,
    "processed" INTEGER NOT NULL DEFAULT 0,
    "inserted" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "issues" INTEGER NOT NULL DEFAULT 0,
    "run" INTEGER NOT NULL DEFAULT 0,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "imports_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "platform"."import_parts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "import_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "size" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "import_parts_pkey" PRIMARY KEY ("workspace_id","mode","import_id","part")
);

-- CreateTable
CREATE TABLE "platform"."import_issues" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "severity" "platform"."ImportSeverity" NOT NULL,
    "row" INTEGER NOT NULL,
    "column" TEXT,
    "field" TEXT,
    "message" TEXT NOT NULL,

    CONSTRAINT "import_issues_pkey" PRIMARY KEY ("workspace_id","mode","import_id","number")
);

-- CreateIndex
CREATE INDEX "imports_workspace_id_mode_kind_id_idx" ON "platform"."imports"("workspace_id", "mode", "kind", "id" DESC);

-- CreateIndex
CREATE INDEX "imports_unfinished_idx" ON "platform"."imports"("updated_at") WHERE (finished_at IS NULL);

-- AddForeignKey
ALTER TABLE "platform"."import_parts" ADD CONSTRAINT "import_parts_workspace_id_mode_import_id_fkey" FOREIGN KEY ("workspace_id", "mode", "import_id") REFERENCES "platform"."imports"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "platform"."import_issues" ADD CONSTRAINT "import_issues_workspace_id_mode_import_id_fkey" FOREIGN KEY ("workspace_id", "mode", "import_id") REFERENCES "platform"."imports"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- By hand: what is sealed does not shrink, so PostgreSQL need not try.
ALTER TABLE "platform"."import_parts" ALTER COLUMN "sealed" SET STORAGE EXTERNAL;
