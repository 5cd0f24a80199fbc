-- CreateEnum
CREATE TYPE "engagement"."AgentRunStatus" AS ENUM ('QUEUED', 'RUNNING', 'WAITING_FOR_APPROVAL', 'COMPLETED', 'ESCALATED', 'FAILED', 'CANCELLED');

-- CreateTable
CREATE TABLE "engagement"."agent_definitions" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "archived_at" TIMESTAMPTZ(3),
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_definitions_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "engagement"."agent_definition_versions" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "definition_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "runtime_form" TEXT NOT NULL,
    "agent_type" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "api_key_id" UUID,
    "blueprint" JSONB NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_definition_versions_pkey" PRIMARY KEY ("workspace_id","mode","definition_id","number")
);

-- CreateTable
CREATE TABLE "engagement"."agent_runs" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "id" UUID NOT NULL,
    "definition_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "status" "engagement"."AgentRunStatus" NOT NULL,
    "actor" TEXT NOT NULL,
    "mirrored_day" DATE,
    "skill" TEXT,
    "outcome" TEXT,
    "steps" INTEGER NOT NULL DEFAULT 0,
    "tokens" INTEGER NOT NULL DEFAULT 0,
    "usd_micros" BIGINT NOT NULL DEFAULT 0,
    "last_seq" INTEGER NOT NULL DEFAULT 0,
    "waiting_seq" INTEGER,
    "state" BYTEA,
    "answer" BYTEA,
    "about" UUID[] DEFAULT ARRAY[]::UUID[],
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "token" INTEGER NOT NULL DEFAULT 0,
    "claims" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "agent_runs_pkey" PRIMARY KEY ("workspace_id","mode","id")
);

-- CreateTable
CREATE TABLE "engagement"."agent_run_events" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "agent_run_events_pkey" PRIMARY KEY ("workspace_id","mode","run_id","seq")
);

-- CreateIndex
CREATE UNIQUE INDEX "agent_definitions_workspace_id_mode_name_key" ON "engagement"."agent_definitions"("workspace_id", "mode", "name");

-- CreateIndex
CREATE INDEX "agent_runs_workspace_id_mode_definition_id_id_idx" ON "engagement"."agent_runs"("workspace_id", "mode", "definition_id", "id" DESC);

-- CreateIndex
CREATE INDEX "agent_runs_workspace_id_mode_status_id_idx" ON "engagement"."agent_runs"("workspace_id", "mode", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "agent_runs_about_idx" ON "engagement"."agent_runs" USING GIN ("about");

-- CreateIndex
CREATE INDEX "agent_runs_due_idx" ON "engagement"."agent_runs"("due_at") WHERE (due_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "agent_runs_ended_idx" ON "engagement"."agent_runs"("ended_at") WHERE (ended_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "agent_runs_workspace_id_mode_actor_mirrored_day_definition__key" ON "engagement"."agent_runs"("workspace_id", "mode", "actor", "mirrored_day", "definition_id");

-- AddForeignKey
ALTER TABLE "engagement"."agent_definition_versions" ADD CONSTRAINT "agent_definition_versions_workspace_id_mode_definition_id_fkey" FOREIGN KEY ("workspace_id", "mode", "definition_id") REFERENCES "engagement"."agent_definitions"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "engagement"."agent_runs" ADD CONSTRAINT "agent_runs_workspace_id_mode_definition_id_version_fkey" FOREIGN KEY ("workspace_id", "mode", "definition_id", "version") REFERENCES "engagement"."agent_definition_versions"("workspace_id", "mode", "definition_id", "number") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "engagement"."agent_run_events" ADD CONSTRAINT "agent_run_events_workspace_id_mode_run_id_fkey" FOREIGN KEY ("workspace_id", "mode", "run_id") REFERENCES "engagement"."agent_runs"("workspace_id", "mode", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What agents did, and what they were, is never changed. Rows go only with the run or definition they belong to.
CREATE FUNCTION "engagement"."refuse_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION "engagement"."keep_agent_run_event"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "engagement"."agent_runs"
              WHERE workspace_id = OLD.workspace_id AND mode = OLD.mode AND id = OLD.run_id) THEN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;

CREATE FUNCTION "engagement"."keep_agent_version"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "engagement"."agent_definitions"
              WHERE workspace_id = OLD.workspace_id AND mode = OLD.mode AND id = OLD.definition_id) THEN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER "agent_run_events_no_update" BEFORE UPDATE ON "engagement"."agent_run_events"
  FOR EACH ROW EXECUTE FUNCTION "engagement"."refuse_change"();
CREATE TRIGGER "agent_run_events_no_delete" BEFORE DELETE ON "engagement"."agent_run_events"
  FOR EACH ROW EXECUTE FUNCTION "engagement"."keep_agent_run_event"();
CREATE TRIGGER "agent_definition_versions_no_update" BEFORE UPDATE ON "engagement"."agent_definition_versions"
  FOR EACH ROW EXECUTE FUNCTION "engagement"."refuse_change"();
CREATE TRIGGER "agent_definition_versions_no_delete" BEFORE DELETE ON "engagement"."agent_definition_versions"
  FOR EACH ROW EXECUTE FUNCTION "engagement"."keep_agent_version"();
