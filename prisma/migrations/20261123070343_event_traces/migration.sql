-- AlterTable
ALTER TABLE "platform"."outbox" ADD COLUMN     "traceparent" TEXT;
