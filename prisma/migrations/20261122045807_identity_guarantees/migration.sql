-- Answers of the day before may hold secrets, and fingerprints of them that are easy to guess: both go. A key
-- that was used stays used.
UPDATE "platform"."idempotency_keys" SET "fingerprint" = '', "answer" = NULL;

-- AlterTable
ALTER TABLE "platform"."idempotency_keys" DROP CONSTRAINT "idempotency_keys_pkey",
ADD COLUMN     "about" UUID[],
ADD COLUMN     "mode" "platform"."Mode" NOT NULL DEFAULT 'LIVE',
ADD CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("workspace_id", "mode", "actor", "key");
ALTER TABLE "platform"."idempotency_keys" ALTER COLUMN "mode" DROP DEFAULT;

-- AlterTable
ALTER TABLE "platform"."imports" ADD COLUMN     "fingerprint" TEXT;

-- AlterTable
ALTER TABLE "workspace"."accounts" ADD COLUMN     "email_confirmed_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "loyalty"."member_sessions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "member_sessions_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "workspace"."email_confirmations" (
    "account_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "token_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "email_confirmations_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "member_sessions_workspace_id_mode_member_id_id_idx" ON "loyalty"."member_sessions"("workspace_id", "mode", "member_id", "id" DESC);

-- CreateIndex
CREATE INDEX "member_sessions_expires_at_idx" ON "loyalty"."member_sessions"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "email_confirmations_token_hash_key" ON "workspace"."email_confirmations"("token_hash");

-- CreateIndex
CREATE INDEX "idempotency_keys_about_idx" ON "platform"."idempotency_keys" USING GIN ("about");

-- CreateIndex
CREATE INDEX "api_keys_workspace_id_created_by_id_id_idx" ON "workspace"."api_keys"("workspace_id", "created_by_id", "id" DESC);

-- AddForeignKey
ALTER TABLE "loyalty"."member_sessions" ADD CONSTRAINT "member_sessions_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "workspace"."email_confirmations" ADD CONSTRAINT "email_confirmations_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "workspace"."accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A key that a key made has the rights of the person who made the first of them.
WITH RECURSIVE "line" AS (
    SELECT "k"."id", "p"."created_by_id" AS "maker"
      FROM "workspace"."api_keys" AS "k" JOIN "workspace"."api_keys" AS "p" ON "p"."id" = "k"."created_by_id"
    UNION ALL
    SELECT "line"."id", "p"."created_by_id"
      FROM "line" JOIN "workspace"."api_keys" AS "p" ON "p"."id" = "line"."maker"
)
UPDATE "workspace"."api_keys" AS "k" SET "created_by_id" = "line"."maker"
  FROM "line"
 WHERE "line"."id" = "k"."id"
   AND NOT EXISTS (SELECT 1 FROM "workspace"."api_keys" AS "p" WHERE "p"."id" = "line"."maker");
