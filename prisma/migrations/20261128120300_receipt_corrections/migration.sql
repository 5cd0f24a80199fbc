-- AlterTable
ALTER TABLE "commerce"."receipts" ADD COLUMN     "reading" JSONB;
