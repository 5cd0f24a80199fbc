-- CreateEnum
CREATE TYPE "loyalty"."TagSource" AS ENUM ('API', 'APPLICATION', 'AUTOMATION', 'IMPORT');

-- CreateEnum
CREATE TYPE "loyalty"."ConsentPurpose" AS ENUM ('PRECISE_LOCATION', 'EMAIL_MARKETING', 'PROFILING');

-- CreateEnum
CREATE TYPE "loyalty"."MemberExportStatus" AS ENUM ('PENDING', 'COMPLETED', 'FAILED');

-- AlterTable
ALTER TABLE "loyalty"."members" ADD COLUMN     "key_sealed" BYTEA;

-- CreateTable
CREATE TABLE "loyalty"."tags" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "key" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "member_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "loyalty"."member_tags" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "tag_id" UUID NOT NULL,
    "source" "loyalty"."TagSource" NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_tags_pkey" PRIMARY KEY ("workspace_id","mode","member_id","tag_id")
);

-- CreateTable
CREATE TABLE "loyalty"."member_consents" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "purpose" "loyalty"."ConsentPurpose" NOT NULL,
    "is_granted" BOOLEAN NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_consents_pkey" PRIMARY KEY ("workspace_id","mode","member_id","purpose")
);

-- CreateTable
CREATE TABLE "loyalty"."consent_changes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "purpose" "loyalty"."ConsentPurpose" NOT NULL,
    "is_granted" BOOLEAN NOT NULL,
    "source" TEXT,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "consent_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "loyalty"."member_exports" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "status" "loyalty"."MemberExportStatus" NOT NULL,
    "content_sealed" BYTEA,
    "size_bytes" INTEGER,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_exports_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tags_workspace_id_mode_id_key" ON "loyalty"."tags"("workspace_id", "mode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tags_workspace_id_mode_key_key" ON "loyalty"."tags"("workspace_id", "mode", "key");

-- CreateIndex
CREATE INDEX "member_tags_workspace_id_mode_tag_id_member_id_idx" ON "loyalty"."member_tags"("workspace_id", "mode", "tag_id", "member_id" DESC);

-- CreateIndex
CREATE INDEX "consent_changes_workspace_id_mode_member_id_id_idx" ON "loyalty"."consent_changes"("workspace_id", "mode", "member_id", "id" DESC);

-- CreateIndex
CREATE INDEX "member_exports_workspace_id_mode_member_id_idx" ON "loyalty"."member_exports"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE INDEX "member_exports_expires_at_idx" ON "loyalty"."member_exports"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "member_exports_unfinished_key" ON "loyalty"."member_exports"("workspace_id", "mode", "member_id") WHERE (finished_at IS NULL);

-- AddForeignKey
ALTER TABLE "loyalty"."member_tags" ADD CONSTRAINT "member_tags_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."member_tags" ADD CONSTRAINT "member_tags_workspace_id_mode_tag_id_fkey" FOREIGN KEY ("workspace_id", "mode", "tag_id") REFERENCES "loyalty"."tags"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."member_consents" ADD CONSTRAINT "member_consents_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."consent_changes" ADD CONSTRAINT "consent_changes_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."member_exports" ADD CONSTRAINT "member_exports_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
