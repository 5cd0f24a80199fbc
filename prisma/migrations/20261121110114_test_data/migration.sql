-- CreateTable
CREATE TABLE "workspace"."test_data_purges" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "parts" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "test_data_purges_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "test_data_purges_workspace_id_id_idx" ON "workspace"."test_data_purges"("workspace_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "test_data_purges_running_key" ON "workspace"."test_data_purges"("workspace_id") WHERE (finished_at IS NULL);
