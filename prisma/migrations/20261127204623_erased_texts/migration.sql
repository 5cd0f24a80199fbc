-- CreateIndex
CREATE INDEX "object_records_deleted_idx" ON "loyalty"."object_records"("workspace_id", "mode", "object_type_id") WHERE (deleted_at IS NOT NULL);

-- An erasure takes what a person wrote out of the log of a run; nothing else of it ever changes.
CREATE FUNCTION "engagement"."keep_agent_run_log"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.data <> OLD.data - '{intent,args}'::text[] OR to_jsonb(NEW) - 'data' <> to_jsonb(OLD) - 'data' THEN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "agent_run_events_no_update" BEFORE UPDATE ON "engagement"."agent_run_events"
  FOR EACH ROW EXECUTE FUNCTION "engagement"."keep_agent_run_log"();
