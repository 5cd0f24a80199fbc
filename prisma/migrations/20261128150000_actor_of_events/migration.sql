-- AlterTable
ALTER TABLE "engagement"."activity_entries" ADD COLUMN     "actor" TEXT;

-- AlterTable
ALTER TABLE "platform"."outbox" ADD COLUMN     "actor" TEXT;
