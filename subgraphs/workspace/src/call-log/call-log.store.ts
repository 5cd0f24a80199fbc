import { ASYNCHRONOUS_COMMIT } from '@loyalty/platform/base/asynchronous-commit';
import type { Mode } from '@loyalty/platform/base/caller';
import { addMs, HOUR_MS } from '@loyalty/platform/base/clock';
import { firstIdAt, newId } from '@loyalty/platform/base/ids';
import { dayOf, quarterHourOf } from '@loyalty/platform/base/quarter-hours';
import type { Context } from '@loyalty/platform/context';
import { arraysOf, rowsOf } from '@loyalty/platform/database/array-parameters';
import {
  createDayPartition,
  dropDayPartition,
  partitionDays,
} from '@loyalty/platform/database/day-partitions';
import type { DayRange, Instants } from '@loyalty/platform/database/day-range';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { failedWith } from '@loyalty/prisma/sqlstate';
import { visible, visibleTo } from './visible-rows.ts';

export interface LoggedCall {
  readonly id: string;
  readonly actor: string;
  readonly mode: Mode;
  readonly channel: string;
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
  readonly reason: string | null;
  readonly calledAt: Date;
}

export type RecordedCall = Omit<LoggedCall, 'id'> & { readonly workspaceId: string };

const columns = `id, actor, mode, channel, operation, status, duration_ms, request_id, reason, called_at`;

export type LoggedOutcome = 'SUCCEEDED' | 'REFUSED' | 'FAILED';
export type LoggedCaller = 'KEY' | 'USER' | 'MEMBER';

/** Conditions on calls; null does not count. */
interface CallFilter extends Instants {
  readonly actor: string | null;
  readonly callerKind: LoggedCaller | null;
  readonly outcomes: readonly LoggedOutcome[] | null;
  readonly requestId: string | null;
}

/** The condition of the index of unsuccessful calls. */
const unsuccessful = '(status >= 400 OR reason IS NOT NULL)';
const outcomeIs: Readonly<Record<LoggedOutcome, string>> = {
  SUCCEEDED: '(status < 400 AND reason IS NULL)',
  REFUSED: `(${unsuccessful} AND status < 500)`,
  FAILED: `(${unsuccessful} AND status >= 500)`,
};
const callerIs: Readonly<Record<LoggedCaller, string>> = {
  KEY: `actor LIKE 'key:%'`,
  USER: `actor LIKE 'user:%'`,
  MEMBER: `actor LIKE 'member:%'`,
};

/**
 * Calls get their ids when they are written, some seconds later. Conditions on days exclude partitions by
 * these ids.
 */
const LATE_MS = HOUR_MS;

/** Returns only the conditions that apply, so that each combination has its own plan. */
function conditionsOf(filter: CallFilter, bind: (value: unknown) => string): string {
  const { actor, callerKind, outcomes, requestId, from, to } = filter;
  return [
    visible,
    ...(actor ? [`actor = ${bind(actor)}`] : []),
    ...(callerKind ? [callerIs[callerKind]] : []),
    ...(outcomes?.length ? [`(${outcomes.map((each) => outcomeIs[each]).join(' OR ')})`] : []),
    ...(requestId ? [`request_id = ${bind(requestId)}`] : []),
    ...(from ? [`called_at >= ${bind(from)} AND id >= ${bind(firstIdAt(from))}`] : []),
    ...(to ? [`called_at < ${bind(to)} AND id < ${bind(firstIdAt(addMs(to, LATE_MS)))}`] : []),
  ].join(' AND ');
}

export async function callsPage(
  ctx: Context,
  request: PageRequest,
  filter: CallFilter,
): Promise<Page<LoggedCall>> {
  const params: unknown[] = visibleTo(ctx);
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = conditionsOf(filter, bind);
  const { order, beyond } = scan(request);
  const behind = request.cursorId ? ` AND id ${beyond} ${bind(request.cursorId)}` : '';
  const rows = await ctx.sql.query<LoggedCall>(
    `SELECT ${columns} FROM workspace.call_log WHERE ${where}${behind}
      ORDER BY id ${order} LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`,
    params,
  );
  return page(request, rows, () => countCalls(ctx, filter));
}

/** Returns calls sorted by id from `sinceId` on; only the newest if there are more than `limit`. */
export async function callsSince(
  ctx: Context,
  {
    actor,
    sinceId,
    limit,
  }: { readonly actor: string | null; readonly sinceId: string; readonly limit: number },
): Promise<LoggedCall[]> {
  const params: unknown[] = [...visibleTo(ctx), sinceId, limit, ...(actor ? [actor] : [])];
  const rows = await ctx.sql.query<LoggedCall>(
    `SELECT ${columns} FROM workspace.call_log WHERE ${visible} AND id >= $3 ${actor ? 'AND actor = $5' : ''}
      ORDER BY id DESC LIMIT $4`,
    params,
  );
  return rows.reverse();
}

export async function countCalls(ctx: Context, filter: CallFilter): Promise<number> {
  const params: unknown[] = visibleTo(ctx);
  const where = conditionsOf(filter, (value) => `$${params.push(value)}`);
  const [counted] = await ctx.sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM workspace.call_log WHERE ${where}`,
    params,
  );
  return counted?.total ?? 0;
}

/** Loads a page of an actor's calls. Batched by actor. */
export const actorCalls = pageLoader<string, LoggedCall>((ctx, wanted) => {
  const { owners, limits, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<LoggedCall>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::text[], $4::int[], $5::uuid[]')} WITH ORDINALITY AS w(actor, rows, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM workspace.call_log
         WHERE ${visible} AND actor = w.actor AND (w.cursor_id IS NULL OR id ${beyond} w.cursor_id)
         ORDER BY id ${order} LIMIT w.rows) AS found
      ORDER BY w.place, found.id ${order}`,
    [...visibleTo(ctx), owners, limits, cursorIds],
  );
});

/** Writes all calls, their counts by time, and the time of each key's last use, in one statement. */
export async function insertCalls(ctx: Context, calls: readonly RecordedCall[]): Promise<number> {
  const [written] = await ctx.sql.query<{ total: number }>(
    `WITH given AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[],
         $8::int[], $9::text[], $10::text[], $11::timestamptz[])
         AS g (id, workspace_id, mode, actor, channel, operation, status, duration_ms, request_id, reason,
               called_at)
     ), used AS (
       UPDATE workspace.api_keys k SET last_used_at = greatest(k.last_used_at, g.called_at)
         FROM (SELECT workspace_id, actor, max(called_at) AS called_at FROM given WHERE actor LIKE 'key:%'
                GROUP BY workspace_id, actor) g
        WHERE k.id::text = substr(g.actor, 5) AND k.workspace_id = g.workspace_id
     ), counted AS (
       INSERT INTO workspace.call_periods AS p (workspace_id, mode, starts_at, calls, refused, failed)
       SELECT workspace_id, mode::platform."Mode", ${quarterHourOf('called_at')}, count(*),
              count(*) FILTER (WHERE status BETWEEN 400 AND 499), count(*) FILTER (WHERE status >= 500)
         FROM given GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
       ON CONFLICT (workspace_id, mode, starts_at) DO UPDATE
          SET calls = p.calls + excluded.calls, refused = p.refused + excluded.refused,
              failed = p.failed + excluded.failed
     ), written AS (
       INSERT INTO workspace.call_log
         (id, workspace_id, mode, actor, channel, operation, status, duration_ms, request_id, reason,
          called_at)
       SELECT id, workspace_id, mode::platform."Mode", actor, channel, operation, status, duration_ms,
              request_id, reason, called_at
         FROM given, ${ASYNCHRONOUS_COMMIT} RETURNING 1
     )
     SELECT count(*)::int AS total FROM written`,
    columnsOf(ctx, calls),
  );
  return written?.total ?? 0;
}

const columnsOf = (ctx: Context, calls: readonly RecordedCall[]): unknown[] => [
  calls.map(() => newId(ctx.clock)),
  ...arraysOf(
    calls,
    'workspaceId',
    'mode',
    'actor',
    'channel',
    'operation',
    'status',
    'durationMs',
    'requestId',
    'reason',
    'calledAt',
  ),
];

export interface CallDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
}

/** Returns calls by day; days without calls are missing. */
export const callsByDay = (ctx: Context, { from, to, timeZone }: DayRange): Promise<CallDay[]> =>
  ctx.sql.query(
    `SELECT ${dayOf('starts_at', '$5')} AS date, sum(calls)::int AS calls, sum(refused)::int AS refused,
            sum(failed)::int AS failed
       FROM workspace.call_periods
      WHERE ${visible} AND starts_at >= $3 AND starts_at < $4
      GROUP BY 1`,
    [...visibleTo(ctx), from, to, timeZone],
  );

const TABLE = 'workspace.call_log';

/** Whether an insert failed because the day has no partition yet. */
export const isPartitionMissing = (error: unknown): boolean => failedWith(error, 'CHECK_VIOLATION');

/** Creates the partition of a day, given by its midnight in UTC, unless it exists. */
export const createPartition = (ctx: Context, day: Date): Promise<void> =>
  createDayPartition(ctx, TABLE, day);

/** Drops the partitions whose last call is before `before`, which is midnight of a day in UTC. */
export async function dropPartitionsBefore(ctx: Context, before: Date): Promise<void> {
  const days = await partitionDays(ctx, TABLE);
  for (const day of days.filter((each) => each < before)) await dropDayPartition(ctx, TABLE, day);
}
