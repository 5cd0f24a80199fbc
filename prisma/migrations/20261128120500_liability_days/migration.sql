-- CreateTable
CREATE TABLE "loyalty"."liability_days" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "date" DATE NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL,
    "outstanding" BIGINT NOT NULL,
    "pending" BIGINT NOT NULL,
    "parts" JSONB NOT NULL,

    CONSTRAINT "liability_days_pkey" PRIMARY KEY ("workspace_id","mode","date")
);
