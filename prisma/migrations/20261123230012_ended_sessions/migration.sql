-- CreateTable
CREATE TABLE "workspace"."ended_sessions" (
    "session_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ended_sessions_pkey" PRIMARY KEY ("session_id")
);

-- CreateIndex
CREATE INDEX "ended_sessions_account_id_idx" ON "workspace"."ended_sessions"("account_id");

-- CreateIndex
CREATE INDEX "ended_sessions_ends_at_idx" ON "workspace"."ended_sessions"("ends_at");

-- AddForeignKey
ALTER TABLE "workspace"."ended_sessions" ADD CONSTRAINT "ended_sessions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "workspace"."accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
