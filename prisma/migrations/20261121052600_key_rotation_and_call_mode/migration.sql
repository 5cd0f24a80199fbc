-- AlterTable
ALTER TABLE "workspace"."api_keys" ADD COLUMN "replaced_by_id" UUID;

-- AlterTable
ALTER TABLE "workspace"."call_log" ADD COLUMN "mode" "platform"."Mode" NOT NULL DEFAULT 'LIVE';
ALTER TABLE "workspace"."call_log" ALTER COLUMN "mode" DROP DEFAULT;
