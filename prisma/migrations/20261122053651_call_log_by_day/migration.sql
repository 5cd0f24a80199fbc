-- By hand: calls lie in a partition per day of the time in their id, so that a day is forgotten by dropping a table.
-- What was kept so far becomes the partition of the last day that it may hold; no row is moved.

-- DropIndex
DROP INDEX "workspace"."call_log_called_at_idx";

ALTER TABLE "workspace"."call_log" RENAME TO "call_log_before";
ALTER TABLE "workspace"."call_log_before" RENAME CONSTRAINT "call_log_pkey" TO "call_log_before_pkey";
ALTER INDEX "workspace"."call_log_workspace_id_actor_id_idx" RENAME TO "call_log_before_workspace_id_actor_id_idx";

CREATE TABLE "workspace"."call_log" (LIKE "workspace"."call_log_before") PARTITION BY RANGE ("id");
ALTER TABLE "workspace"."call_log" ADD CONSTRAINT "call_log_pkey" PRIMARY KEY ("id");
CREATE INDEX "call_log_workspace_id_actor_id_idx" ON "workspace"."call_log"("workspace_id", "actor", "id" DESC);

DO $$
DECLARE
  -- The first id of a day: its milliseconds since 1970, then zeros.
  first_id CONSTANT text := 'SELECT rpad(lpad(to_hex((extract(epoch FROM $1::timestamp) * 1000)::bigint), 12, ''0''), 32, ''0'')::uuid';
  day date := (now() AT TIME ZONE 'UTC')::date;
  latest uuid;
  begins uuid;
  ends uuid;
BEGIN
  SELECT id INTO latest FROM workspace.call_log_before ORDER BY id DESC LIMIT 1;
  IF latest IS NULL THEN
    DROP TABLE workspace.call_log_before;
  ELSE
    day := greatest(day, (to_timestamp(('x' || left(replace(latest::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
                          AT TIME ZONE 'UTC')::date);
    EXECUTE format('ALTER TABLE workspace.call_log_before RENAME TO %I', 'call_log_' || to_char(day, 'YYYYMMDD'));
    EXECUTE first_id INTO ends USING day + 1;
    EXECUTE format('ALTER TABLE workspace.call_log ATTACH PARTITION workspace.%I FOR VALUES FROM (MINVALUE) TO (%L)',
                   'call_log_' || to_char(day, 'YYYYMMDD'), ends);
    day := day + 1;
  END IF;
  FOR ahead IN 0..2 LOOP
    EXECUTE first_id INTO begins USING day + ahead;
    EXECUTE first_id INTO ends USING day + ahead + 1;
    EXECUTE format('CREATE TABLE workspace.%I PARTITION OF workspace.call_log FOR VALUES FROM (%L) TO (%L)',
                   'call_log_' || to_char(day + ahead, 'YYYYMMDD'), begins, ends);
  END LOOP;
END $$;
