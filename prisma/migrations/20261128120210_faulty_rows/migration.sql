-- AlterTable
ALTER TABLE "platform"."imports" ADD COLUMN     "round" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "platform"."import_faulty_rows" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "import_id" UUID NOT NULL,
    "first_row" INTEGER NOT NULL,
    "last_row" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "round" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "import_faulty_rows_pkey" PRIMARY KEY ("workspace_id","mode","import_id","first_row")
);

-- AddForeignKey
ALTER TABLE "platform"."import_faulty_rows" ADD CONSTRAINT "import_faulty_rows_workspace_id_mode_import_id_fkey" FOREIGN KEY ("workspace_id", "mode", "import_id") REFERENCES "platform"."imports"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Sealed bytes do not compress.
ALTER TABLE "platform"."import_faulty_rows" ALTER COLUMN "sealed" SET STORAGE EXTERNAL;
