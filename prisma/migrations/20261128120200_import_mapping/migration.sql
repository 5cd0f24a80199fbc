-- AlterTable
ALTER TABLE "platform"."imports" ADD COLUMN     "file_name" TEXT;

-- AlterTable
ALTER TABLE "platform"."import_issues" ADD COLUMN     "code" TEXT NOT NULL DEFAULT 'INVALID_VALUE',
ADD COLUMN     "rule" TEXT,
ADD COLUMN     "values" JSONB;
