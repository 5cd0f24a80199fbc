-- By hand: Prisma would drop the column and add another.
ALTER TABLE "workspace"."call_log" RENAME COLUMN "door" TO "channel";
