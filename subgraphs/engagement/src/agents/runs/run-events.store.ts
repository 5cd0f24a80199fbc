import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/loading/array-parameters';
import { type Placed, pageLoader } from '@loyalty/platform/loading/page-loader';
import type { AgentRunEvent, NewRunEvent } from './agent-run.ts';

const columns = `e.seq::text AS id, e.run_id, e.seq, e.type, e.version, e.at, e.data`;

/** Parts of the logs of runs, in the order of the events. */
export const eventsOfRun = pageLoader<string, AgentRunEvent>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds } = wanted;
  // Other lists of owners begin with the newest; a log begins with its first event.
  const [order, beyond] = wanted.order === 'DESC' ? ['ASC', '>'] : ['DESC', '<'];
  return ctx.sql.query<Placed<AgentRunEvent>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::int[], $6::int[]')} WITH ORDINALITY
         AS w(run_id, rows, skip, cursor_number, place)
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM engagement.agent_run_events AS e
         WHERE ${inScope('e')} AND e.run_id = w.run_id
           AND (w.cursor_number IS NULL OR e.seq ${beyond} w.cursor_number)
         ORDER BY e.seq ${order} LIMIT w.rows OFFSET w.skip) AS found
      ORDER BY w.place, found.seq ${order}`,
    [...scopeOf(ctx), owners, limits, offsets, cursorIds.map((id) => (id === null ? null : Number(id)))],
  );
});

/**
 * Appends events to a run's log, in their order; the row of the run is locked meanwhile, so numbers have no
 * gaps.
 *
 * @returns the number of the last one
 */
export async function appendEvents(
  tx: Context,
  runId: string,
  events: readonly NewRunEvent[],
): Promise<number> {
  const [row] = await tx.sql.query<{ seq: number }>(
    `WITH run AS (
       UPDATE engagement.agent_runs AS r SET last_seq = r.last_seq + $4::int
        WHERE ${inScope('r')} AND r.id = $3
       RETURNING r.last_seq, r.version
     ), added AS (
       INSERT INTO engagement.agent_run_events (workspace_id, mode, run_id, seq, type, version, at, data)
       SELECT $1::uuid, $2::platform."Mode", $3::uuid, run.last_seq - $4::int + e.place, e.type, run.version,
              $5, e.data
         FROM run, unnest($6::text[], $7::jsonb[]) WITH ORDINALITY AS e(type, data, place))
     SELECT last_seq AS seq FROM run`,
    [
      ...scopeOf(tx),
      runId,
      events.length,
      tx.clock.now(),
      events.map(({ type }) => type),
      events.map(({ type: _, ...details }) => JSON.stringify(details)),
    ],
  );
  return row!.seq;
}

/** Of the calls in a run's log: how many there were, and how many failed. */
export async function countCalls(
  ctx: Context,
  runId: string,
): Promise<{ readonly calls: number; readonly failed: number }> {
  const [row] = await ctx.sql.query<{ calls: number; failed: number }>(
    `SELECT count(*)::int AS calls, count(*) FILTER (WHERE (data ->> 'ok') = 'false')::int AS failed
       FROM engagement.agent_run_events
      WHERE ${inScope()} AND run_id = $3 AND type IN ('tool_result', 'mcp_tool_call')`,
    [...scopeOf(ctx), runId],
  );
  return row!;
}

/** Takes intents and arguments out of logs: the one change that the table allows. */
export async function forgetTexts(tx: Context, runIds: readonly string[]): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.agent_run_events AS e SET data = e.data - '{intent,args}'::text[]
      WHERE ${inScope('e')} AND e.run_id = ANY($3::uuid[]) AND e.data ?| '{intent,args}'::text[]`,
    [...scopeOf(tx), runIds],
  );
}
