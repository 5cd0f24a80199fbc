import { addMs, DAY_MS } from '../base/clock.ts';
import type { Context } from '../context.ts';
import { loader } from '../database/loaders.ts';
import { type Page, type PageRequest, page, scan } from '../database/pages.ts';
import { inScope, scopeOf } from '../database/scope-sql.ts';
import type { ExportKind } from './export-definition.ts';
import type { ExportFormat } from './export-text.ts';

export type ExportStatus = 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';

/** An export of a list into a file. */
export interface Export {
  readonly id: string;
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  readonly status: ExportStatus;
  /** Null after the filter was deleted. */
  readonly filterSealed: Uint8Array | null;
  /** Rows of the list: first the count at the start, finally the number of written rows. */
  readonly total: number;
  readonly processed: number;
  readonly bytes: bigint;
  readonly parts: number;
  /** Position at which the next page begins; null before the first page. */
  readonly position: string | null;
  readonly run: number;
  /** The actor who started the export. */
  readonly actor: string;
  /** Reason for which there is no file. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Time at which the export and its file are deleted; null until it has ended. */
  readonly expiresAt: Date | null;
}

/** Time for which a file is kept. */
const KEPT_MS = 7 * DAY_MS;
/** Maximum of exports in progress per workspace and mode. */
export const UNDER_WAY_MAX = 3;
/** An export without progress for this time was lost. */
const STUCK_MS = DAY_MS;

const columns = `x.id, x.kind, x.format, x.status, x.filter_sealed, x.total, x.processed, x.bytes, x.parts,
  x.position, x.run, x.actor, x.failure, x.created_at, x.started_at, x.finished_at, x.expires_at`;
const one = `${inScope('x')} AND x.id = $3`;
const kept = (now: string) => `(x.expires_at IS NULL OR x.expires_at > ${now})`;

const keyOf = (ctx: Context, id: string): unknown[] => [...scopeOf(ctx), id];
const expiryOf = (ctx: Context): Date => addMs(ctx.clock.now(), KEPT_MS);

/** Loads exports by id, without expired ones. */
export const exportById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Export>(
    `SELECT ${columns} FROM platform.exports AS x
      WHERE ${inScope('x')} AND x.id = ANY($3::uuid[]) AND ${kept('$4')}`,
    [...scopeOf(ctx), ids, ctx.clock.now()],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** Finds an export; null if it does not exist or has expired. */
export async function findExport(ctx: Context, id: string): Promise<Export | null> {
  const [row] = await ctx.sql.query<Export>(
    `SELECT ${columns} FROM platform.exports AS x WHERE ${one} AND ${kept('$4')}`,
    [...keyOf(ctx, id), ctx.clock.now()],
  );
  return row ?? null;
}

export async function exportsPage(ctx: Context, request: PageRequest): Promise<Page<Export>> {
  const params = [...scopeOf(ctx), ctx.clock.now()];
  const where = `${inScope('x')} AND ${kept('$3')}`;
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<Export>(
    `SELECT ${columns} FROM platform.exports AS x WHERE ${where} AND ($4::uuid IS NULL OR x.id ${beyond} $4)
      ORDER BY x.id ${order} LIMIT $5 OFFSET $6`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM platform.exports AS x WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

/**
 * Queues an export in a free place of the workspace; null if all places are taken. If a concurrent call takes
 * the same place, the next place is tried.
 */
export async function insertExport(
  tx: Context,
  about: Pick<Export, 'id' | 'kind' | 'format' | 'filterSealed' | 'total'>,
): Promise<Export | null> {
  for (let tries = 0; tries < UNDER_WAY_MAX; tries += 1) {
    const [row] = await tx.sql.query<Export>(
      `INSERT INTO platform.exports AS x
         (workspace_id, mode, id, kind, format, status, filter_sealed, total, slot, actor, created_at,
          updated_at)
       SELECT $1, $2::platform."Mode", $3, $4::platform."ExportKind", $5::platform."ExportFormat", 'QUEUED',
              $6, $7, s.slot, $8, $9, $9
         FROM generate_series(1, ${UNDER_WAY_MAX}) AS s(slot)
        WHERE NOT EXISTS (SELECT 1 FROM platform.exports AS u
                           WHERE ${inScope('u')} AND u.slot = s.slot AND u.finished_at IS NULL)
        ORDER BY s.slot LIMIT 1
       ON CONFLICT (workspace_id, mode, slot) WHERE finished_at IS NULL DO NOTHING
       RETURNING ${columns}`,
      [
        ...keyOf(tx, about.id),
        about.kind,
        about.format,
        about.filterSealed,
        about.total,
        tx.caller.actor,
        tx.clock.now(),
      ],
    );
    if (row) return row;
  }
  return null;
}

/** Begins a run, which fences off every earlier run; null if the export has ended. */
export async function beginRun(ctx: Context, id: string): Promise<Export | null> {
  const [row] = await ctx.sql.query<Export>(
    `UPDATE platform.exports AS x
        SET status = 'RUNNING', run = x.run + 1, started_at = coalesce(x.started_at, $4), updated_at = $4
      WHERE ${one} AND x.status IN ('QUEUED', 'RUNNING') RETURNING ${columns}`,
    [...keyOf(ctx, id), ctx.clock.now()],
  );
  return row ?? null;
}

/** A page of the list as one part of the file. */
export interface WrittenPage {
  readonly rows: number;
  readonly bytes: number;
  readonly sealed: Uint8Array;
  /** Position at which the next page begins; null after the last page. */
  readonly after: string | null;
}

/**
 * Stores the next part of the file with its end position, if the run may still write. The last part completes
 * the export. Returns false if the run was fenced off or the export cancelled.
 */
export async function keepPart(
  tx: Context,
  { id, run }: Pick<Export, 'id' | 'run'>,
  { rows, bytes, sealed, after }: WrittenPage,
): Promise<boolean> {
  const now = tx.clock.now();
  const isLast = after === null;
  const written = await tx.sql.query(
    `WITH kept AS (
       UPDATE platform.exports AS x
          SET position = $5, processed = x.processed + $6, bytes = x.bytes + $7, parts = x.parts + 1,
              status = CASE WHEN $9 THEN 'COMPLETED' ELSE 'RUNNING' END::platform."ExportStatus",
              updated_at = $8,
              total = CASE WHEN $9 THEN x.processed + $6 ELSE x.total END,
              finished_at = CASE WHEN $9 THEN $8::timestamptz END,
              expires_at = CASE WHEN $9 THEN $10::timestamptz END
        WHERE ${one} AND x.run = $4 AND x.status = 'RUNNING'
       RETURNING x.parts - 1 AS part)
     INSERT INTO platform.export_parts (workspace_id, mode, export_id, part, sealed)
     SELECT $1, $2::platform."Mode", $3, kept.part, $11 FROM kept RETURNING 1`,
    [...keyOf(tx, id), run, after, rows, bytes, now, isLast, expiryOf(tx), sealed],
  );
  return written.length > 0;
}

/** Cancels the export; null if it has already ended. */
export async function changeToCancelled(tx: Context, id: string): Promise<Export | null> {
  const [row] = await tx.sql.query<Export>(
    `UPDATE platform.exports AS x SET status = 'CANCELLED', finished_at = $4, updated_at = $4, expires_at = $5
      WHERE ${one} AND x.finished_at IS NULL RETURNING ${columns}`,
    [...keyOf(tx, id), tx.clock.now(), expiryOf(tx)],
  );
  return row ?? null;
}

/** Marks the export as failed; false if it has already ended. */
export async function changeToFailed(tx: Context, id: string, failure: string): Promise<boolean> {
  const rows = await tx.sql.query(
    `UPDATE platform.exports AS x SET status = 'FAILED', failure = $4, finished_at = $5, updated_at = $5,
            expires_at = $6
      WHERE ${one} AND x.finished_at IS NULL RETURNING 1`,
    [...keyOf(tx, id), failure, tx.clock.now(), expiryOf(tx)],
  );
  return rows.length > 0;
}

/**
 * Deletes the contents of all exports of a kind: exports in progress fail, finished files expire.
 *
 * @returns the ids of the exports that failed
 */
export async function forgetFiles(tx: Context, kind: ExportKind, failure: string): Promise<string[]> {
  const rows = await tx.sql.query<{ id: string; hasFailed: boolean }>(
    `UPDATE platform.exports AS x
        SET filter_sealed = NULL, updated_at = $4, finished_at = coalesce(x.finished_at, $4),
            status = CASE WHEN x.finished_at IS NULL THEN 'FAILED' ELSE x.status END,
            failure = CASE WHEN x.finished_at IS NULL THEN $5 ELSE x.failure END,
            expires_at = CASE WHEN x.status = 'COMPLETED' THEN $4 ELSE coalesce(x.expires_at, $6) END
      WHERE ${inScope('x')} AND x.kind = $3::platform."ExportKind"
        AND (x.filter_sealed IS NOT NULL OR x.finished_at IS NULL)
      RETURNING x.id, x.status = 'FAILED' AND x.finished_at = $4 AS has_failed`,
    [...scopeOf(tx), kind, tx.clock.now(), failure, expiryOf(tx)],
  );
  await tx.sql.query(`DELETE FROM platform.export_parts WHERE ${inScope()} AND export_id = ANY($3::uuid[])`, [
    ...scopeOf(tx),
    rows.map(({ id }) => id),
  ]);
  return rows.filter(({ hasFailed }) => hasFailed).map(({ id }) => id);
}

export async function findPart(ctx: Context, id: string, part: number): Promise<Uint8Array | null> {
  const [row] = await ctx.sql.query<{ sealed: Uint8Array }>(
    `SELECT sealed FROM platform.export_parts WHERE ${inScope()} AND export_id = $3 AND part = $4`,
    [...keyOf(ctx, id), part],
  );
  return row?.sealed ?? null;
}

export async function deleteParts(tx: Context, id: string): Promise<void> {
  await tx.sql.query(
    `DELETE FROM platform.export_parts WHERE ${inScope()} AND export_id = $3`,
    keyOf(tx, id),
  );
}

/** Fails the exports, of all workspaces, that made no progress for a day. */
export async function endStuckExports(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await ctx.sql.query(
    `/* every workspace */ WITH ended AS (
       UPDATE platform.exports
          SET status = 'FAILED', failure = 'It did not get on for a day.', finished_at = $1, updated_at = $1,
              expires_at = $2
        WHERE finished_at IS NULL AND updated_at < $3
       RETURNING workspace_id, mode, id)
     DELETE FROM platform.export_parts AS p USING ended AS e
      WHERE p.workspace_id = e.workspace_id AND p.mode = e.mode AND p.export_id = e.id`,
    [now, addMs(now, KEPT_MS), addMs(now, -STUCK_MS)],
  );
}
