import type { Mode } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { type Placed, pageLoader } from '@loyalty/platform/loading/page-loader';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import { newId } from '@loyalty/platform/values/ids';
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
  readonly calledAt: Date;
}

export type RecordedCall = Omit<LoggedCall, 'id'> & { readonly workspaceId: string };

const columns = `id, actor, mode, channel, operation, status, duration_ms AS "durationMs",
  request_id AS "requestId", called_at AS "calledAt"`;

export async function callsPage(
  ctx: Context,
  request: PageRequest,
  actor: string | null,
): Promise<Page<LoggedCall>> {
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<LoggedCall>(
    `SELECT ${columns} FROM workspace.call_log
      WHERE ${visible} AND ($3::text IS NULL OR actor = $3) AND ($4::uuid IS NULL OR id ${beyond} $4)
      ORDER BY id ${order} LIMIT $5 OFFSET $6`,
    [...visibleTo(ctx), actor, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, () => countCalls(ctx, actor));
}

export async function countCalls(ctx: Context, actor: string | null): Promise<number> {
  const [counted] = await ctx.sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM workspace.call_log 
      WHERE ${visible} AND ($3::text IS NULL OR actor = $3)`,
    [...visibleTo(ctx), actor],
  );
  return counted?.total ?? 0;
}

/** A page of an actor's calls; those of many actors are read together. */
export const actorCalls = pageLoader<string, LoggedCall>((ctx, wanted) => {
  const { owners, limits, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<LoggedCall>>(
    `SELECT w.place, found.*
       FROM unnest($3::text[], $4::int[], $5::uuid[]) WITH ORDINALITY AS w(actor, rows, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM workspace.call_log
         WHERE ${visible} AND actor = w.actor AND (w.cursor_id IS NULL OR id ${beyond} w.cursor_id)
         ORDER BY id ${order} LIMIT w.rows) AS found
      ORDER BY w.place, found.id ${order}`,
    [...visibleTo(ctx), owners, limits, cursorIds],
  );
});

/** Writes all calls, and when each key was last used, in one statement. */
export async function insertCalls(ctx: Context, calls: readonly RecordedCall[]): Promise<number> {
  const [written] = await ctx.sql.query<{ total: number }>(
    `WITH given AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[],
         $8::int[], $9::text[], $10::timestamptz[])
         AS g (id, workspace_id, mode, actor, channel, operation, status, duration_ms, request_id, called_at)
     ), used AS (
       UPDATE workspace.api_keys k SET last_used_at = greatest(k.last_used_at, g.called_at)
         FROM (SELECT workspace_id, actor, max(called_at) AS called_at FROM given WHERE actor LIKE 'key:%'
                GROUP BY workspace_id, actor) g
        WHERE k.id::text = substr(g.actor, 5) AND k.workspace_id = g.workspace_id
     ), written AS (
       INSERT INTO workspace.call_log
         (id, workspace_id, mode, actor, channel, operation, status, duration_ms, request_id, called_at)
       SELECT id, workspace_id, mode::platform."Mode", actor, channel, operation, status, duration_ms,
              request_id, called_at
         FROM given RETURNING 1
     )
     SELECT count(*)::int AS total FROM written`,
    columnsOf(ctx, calls),
  );
  return written?.total ?? 0;
}

const columnsOf = (ctx: Context, calls: readonly RecordedCall[]): unknown[] => [
  calls.map(() => newId(ctx.clock)),
  calls.map(({ workspaceId }) => workspaceId),
  calls.map(({ mode }) => mode),
  calls.map(({ actor }) => actor),
  calls.map(({ channel }) => channel),
  calls.map(({ operation }) => operation),
  calls.map(({ status }) => status),
  calls.map(({ durationMs }) => durationMs),
  calls.map(({ requestId }) => requestId),
  calls.map(({ calledAt }) => calledAt),
];
