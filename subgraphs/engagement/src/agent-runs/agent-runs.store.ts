import type { Context, Loader } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { AgentRun, AgentRunEvent, AgentRunStatus, NewRunEvent } from './agent-run.ts';

/** Columns of `engagement.agent_runs AS r`. */
export const runColumns = `r.id, r.definition_id, r.version, r.status, r.actor, r.skill, r.outcome, r.steps,
  r.tokens, r.usd_micros::text AS usd_micros, r.last_seq, r.waiting_seq, r.started_at, r.deadline_at,
  r.ended_at`;

export type RunRow = Omit<AgentRun, 'usdMicros'> & { readonly usdMicros: string };

export const toRun = <Row extends RunRow>(row: Row): Omit<Row, 'usdMicros'> & AgentRun => ({
  ...row,
  usdMicros: BigInt(row.usdMicros),
});

export const runById: Loader<string, AgentRun> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<RunRow>(
    `SELECT ${runColumns} FROM engagement.agent_runs AS r WHERE ${inScope('r')} AND r.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, toRun(row)]));
});

/** Reads a run without the cache of the loader. */
export async function readRun(ctx: Context, id: string): Promise<AgentRun | null> {
  const [row] = await ctx.sql.query<RunRow>(
    `SELECT ${runColumns} FROM engagement.agent_runs AS r WHERE ${inScope('r')} AND r.id = $3`,
    [...scopeOf(ctx), id],
  );
  return row ? toRun(row) : null;
}

/** Filters of a list of runs; null for all. */
export interface RunFilter {
  readonly definitionId: string | null;
  readonly status: AgentRunStatus | null;
}

export async function runsPage(
  ctx: Context,
  request: PageRequest,
  { definitionId, status }: RunFilter,
): Promise<Page<AgentRun>> {
  const where = `${inScope('r')} AND ($3::uuid IS NULL OR r.definition_id = $3)
        AND ($4::engagement."AgentRunStatus" IS NULL OR r.status = $4::engagement."AgentRunStatus")`;
  const params = [...scopeOf(ctx), definitionId, status];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<RunRow>(
    `SELECT ${runColumns} FROM engagement.agent_runs AS r
      WHERE ${where} AND ($5::uuid IS NULL OR r.id ${beyond} $5)
      ORDER BY r.id ${order} LIMIT $6 OFFSET $7`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows.map(toRun), async () => {
    const sql = `SELECT count(*)::int AS total FROM engagement.agent_runs AS r WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted!.total;
  });
}

/** The fields of a new run. */
export interface NewRun {
  readonly id: string;
  readonly definitionId: string;
  readonly version: number;
  readonly skill: string | null;
  readonly state: Buffer;
  /** Ids in the intent. */
  readonly about: readonly string[];
  readonly deadlineAt: Date;
}

export async function insertRun(tx: Context, run: NewRun): Promise<AgentRun> {
  const [row] = await tx.sql.query<RunRow>(
    `INSERT INTO engagement.agent_runs AS r (workspace_id, mode, id, definition_id, version, status, actor,
            skill, state, about, started_at, deadline_at, due_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, 'QUEUED', $6, $7, $8, $9, $10, $11, $10)
     RETURNING ${runColumns}`,
    [
      ...scopeOf(tx),
      run.id,
      run.definitionId,
      run.version,
      tx.caller.actor,
      run.skill,
      run.state,
      run.about,
      tx.clock.now(),
      run.deadlineAt,
    ],
  );
  return toRun(row!);
}

/** Returns the run that mirrors a caller's calls of a UTC day. The first call creates it. */
export async function mirroredRun(
  tx: Context,
  run: Pick<NewRun, 'id' | 'definitionId' | 'version' | 'deadlineAt'> & { readonly day: string },
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const [row] = await tx.sql.query<{ id: string }>(
    `INSERT INTO engagement.agent_runs AS r (workspace_id, mode, id, definition_id, version, status, actor,
            mirrored_day, started_at, deadline_at, due_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, 'RUNNING', $6, $7::date, $8, $9, $9)
     ON CONFLICT (workspace_id, mode, actor, mirrored_day, definition_id) DO UPDATE SET steps = r.steps
     RETURNING r.id`,
    [
      ...scopeOf(tx),
      run.id,
      run.definitionId,
      run.version,
      tx.caller.actor,
      run.day,
      tx.clock.now(),
      run.deadlineAt,
    ],
  );
  return { id: row!.id, isNew: row!.id === run.id };
}

/** Erases the answers of runs that concern an erased person. Returns these runs. */
export async function eraseInRuns(
  tx: Context,
  memberId: string,
): Promise<readonly { readonly id: string; readonly isRunning: boolean }[]> {
  return tx.sql.query<{ id: string; isRunning: boolean }>(
    `UPDATE engagement.agent_runs AS r SET answer = NULL, about = array_remove(r.about, $3::uuid)
      WHERE ${inScope('r')} AND r.about @> ARRAY[$3::uuid]
     RETURNING r.id, r.ended_at IS NULL AS is_running`,
    [...scopeOf(tx), memberId],
  );
}

/** The sealed final answers by run. */
export const sealedAnswers: Loader<string, Buffer> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<{ id: string; answer: Buffer }>(
    `SELECT id, answer FROM engagement.agent_runs
      WHERE ${inScope()} AND id = ANY($3::uuid[]) AND answer IS NOT NULL`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map(({ id, answer }) => [id, answer]));
});

const columns = `e.seq::text AS id, e.run_id, e.seq, e.type, e.version, e.at, e.data`;

/** Pages of the logs of runs, in the order of the events. */
export const eventsOfRun = pageLoader<string, AgentRunEvent>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds } = wanted;
  // Other lists begin with the newest row, but a log begins with its first event.
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
 * Appends events to a run's log in their order. The row of the run is locked meanwhile, so numbers have no
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

/** Counts the calls in a run's log, and the failed ones. */
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

/** Erases intents and arguments from logs, which is the only change that the table allows. */
export async function eraseTexts(tx: Context, runIds: readonly string[]): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.agent_run_events AS e SET data = e.data - '{intent,args}'::text[]
      WHERE ${inScope('e')} AND e.run_id = ANY($3::uuid[]) AND e.data ?| '{intent,args}'::text[]`,
    [...scopeOf(tx), runIds],
  );
}
