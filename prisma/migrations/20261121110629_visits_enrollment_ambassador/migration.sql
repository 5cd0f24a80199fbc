-- CreateEnum
CREATE TYPE "loyalty"."VisitSource" AS ENUM ('QR', 'REDEEM', 'API');

-- CreateTable
CREATE TABLE "loyalty"."enrollment_forms" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "source" "loyalty"."EnrollmentSource" NOT NULL,
    "program_id" TEXT,
    "store_id" UUID,
    "token" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "enrollment_forms_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."enrollments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "form_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "consents" TEXT[],
    "token_hash" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "confirmed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "enrollments_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."ambassador_codes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "pool_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deactivated_at" TIMESTAMPTZ(3),

    CONSTRAINT "ambassador_codes_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "loyalty"."referrals" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "ambassador_id" UUID NOT NULL,
    "code_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "referrals_pkey" PRIMARY KEY ("workspace_id","mode","member_id")
);

-- CreateTable
CREATE TABLE "loyalty"."referred_orders" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "order_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "referred_orders_pkey" PRIMARY KEY ("workspace_id","mode","order_id")
);

-- CreateTable
CREATE TABLE "loyalty"."ambassador_scores" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "score" INTEGER NOT NULL,
    "visits" INTEGER NOT NULL,
    "referrals" INTEGER NOT NULL,
    "scored_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ambassador_scores_pkey" PRIMARY KEY ("workspace_id","mode","member_id")
);

-- CreateTable
CREATE TABLE "loyalty"."store_visits" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "store_id" UUID NOT NULL,
    "visited_on" DATE NOT NULL,
    "source" "loyalty"."VisitSource" NOT NULL,
    "visited_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "store_visits_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "enrollment_forms_token_key" ON "loyalty"."enrollment_forms"("token");

-- CreateIndex
CREATE UNIQUE INDEX "enrollments_token_hash_key" ON "loyalty"."enrollments"("token_hash");

-- CreateIndex
CREATE INDEX "enrollments_workspace_id_mode_form_id_confirmed_at_idx" ON "loyalty"."enrollments"("workspace_id", "mode", "form_id", "confirmed_at");

-- CreateIndex
CREATE UNIQUE INDEX "enrollments_workspace_id_mode_member_id_key" ON "loyalty"."enrollments"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE INDEX "ambassador_codes_workspace_id_mode_member_id_idx" ON "loyalty"."ambassador_codes"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE UNIQUE INDEX "ambassador_codes_workspace_id_mode_code_key" ON "loyalty"."ambassador_codes"("workspace_id", "mode", "code");

-- CreateIndex
CREATE UNIQUE INDEX "ambassador_codes_live_key" ON "loyalty"."ambassador_codes"("workspace_id", "mode", "member_id") WHERE (deactivated_at IS NULL);

-- CreateIndex
CREATE INDEX "referrals_workspace_id_mode_ambassador_id_idx" ON "loyalty"."referrals"("workspace_id", "mode", "ambassador_id");

-- CreateIndex
CREATE INDEX "referrals_workspace_id_mode_code_id_idx" ON "loyalty"."referrals"("workspace_id", "mode", "code_id");

-- CreateIndex
CREATE INDEX "referrals_workspace_id_mode_created_at_idx" ON "loyalty"."referrals"("workspace_id", "mode", "created_at");

-- CreateIndex
CREATE INDEX "referred_orders_workspace_id_mode_member_id_idx" ON "loyalty"."referred_orders"("workspace_id", "mode", "member_id");

-- CreateIndex
CREATE INDEX "referred_orders_workspace_id_mode_created_at_idx" ON "loyalty"."referred_orders"("workspace_id", "mode", "created_at");

-- CreateIndex
CREATE INDEX "ambassador_scores_workspace_id_mode_score_member_id_idx" ON "loyalty"."ambassador_scores"("workspace_id", "mode", "score" DESC, "member_id" DESC);

-- CreateIndex
CREATE INDEX "store_visits_workspace_id_mode_member_id_id_idx" ON "loyalty"."store_visits"("workspace_id", "mode", "member_id", "id" DESC);

-- CreateIndex
CREATE INDEX "store_visits_workspace_id_mode_store_id_visited_on_id_idx" ON "loyalty"."store_visits"("workspace_id", "mode", "store_id", "visited_on" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "store_visits_workspace_id_mode_member_id_store_id_visited_o_key" ON "loyalty"."store_visits"("workspace_id", "mode", "member_id", "store_id", "visited_on");

-- AddForeignKey
ALTER TABLE "loyalty"."enrollments" ADD CONSTRAINT "enrollments_workspace_id_mode_form_id_fkey" FOREIGN KEY ("workspace_id", "mode", "form_id") REFERENCES "loyalty"."enrollment_forms"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."enrollments" ADD CONSTRAINT "enrollments_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."ambassador_codes" ADD CONSTRAINT "ambassador_codes_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."referrals" ADD CONSTRAINT "referrals_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."referrals" ADD CONSTRAINT "referrals_workspace_id_mode_ambassador_id_fkey" FOREIGN KEY ("workspace_id", "mode", "ambassador_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."referrals" ADD CONSTRAINT "referrals_workspace_id_mode_code_id_fkey" FOREIGN KEY ("workspace_id", "mode", "code_id") REFERENCES "loyalty"."ambassador_codes"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."referred_orders" ADD CONSTRAINT "referred_orders_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."referrals"("workspace_id", "mode", "member_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."ambassador_scores" ADD CONSTRAINT "ambassador_scores_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "loyalty"."store_visits" ADD CONSTRAINT "store_visits_workspace_id_mode_member_id_fkey" FOREIGN KEY ("workspace_id", "mode", "member_id") REFERENCES "loyalty"."members"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
