import { addMs, DAY_MS } from '../base/clock.ts';
import type { Context } from '../context.ts';
import { type Page, type PageRequest, page, scan } from '../database/pages.ts';
import { inScope } from '../database/scope-sql.ts';
import type { Issue } from './import-cells.ts';
import type { ColumnMapping } from './import-fields.ts';

export type ImportFormat = 'CSV' | 'NDJSON';
export type OnDuplicate = 'UPDATE' | 'SKIP';
type ImportStatus =
  | 'UPLOADING'
  | 'QUEUED'
  | 'RUNNING'
  | 'COMPLETED'
  | 'COMPLETED_WITH_ERRORS'
  | 'FAILED'
  | 'CANCELLED';

/** Number of rows by result. */
export interface ImportCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
}

export interface Import extends ImportCounts {
  readonly id: string;
  /** Kind, as in its definition. */
  readonly kind: string;
  readonly format: ImportFormat;
  readonly status: ImportStatus;
  /** The sender's name of the file; null if none was given. */
  readonly fileName: string | null;
  readonly mapping: ColumnMapping;
  readonly onDuplicate: OnDuplicate;
  /** Number of parts; null during the upload if the client did not announce it. */
  readonly parts: number | null;
  readonly bytes: bigint;
  /** Keyed hash of the file; null if the client sent none. */
  readonly fingerprint: string | null;
  /** Rows of the file; null until all are read. */
  readonly total: number | null;
  /** 0 while the file is read; each retry of failed rows adds one. */
  readonly round: number;
  /** File row at which the last written batch ended. */
  readonly position: number;
  readonly processed: number;
  readonly issues: number;
  readonly run: number;
  /** The actor who created it. */
  readonly actor: string;
  /** Reason for which its job failed finally. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** Maximum of stored issues per import. */
const ISSUES_MAX = 1_000;

const columns = `i.id, i.kind, i.format, i.status, i.file_name, i.mapping, i.on_duplicate, i.parts, i.bytes,
  i.fingerprint, i.total, i.round, i.position, i.processed, i.inserted, i.updated, i.skipped, i.failed,
  i.issues, i.run, i.actor, i.failure, i.created_at, i.started_at, i.finished_at`;
const scoped = inScope('i');
const one = `${scoped} AND i.id = $3`;

const keyOf = (ctx: Context, id: string): unknown[] => [ctx.scope.workspaceId, ctx.scope.mode, id];

export async function findImport(ctx: Context, id: string): Promise<Import | null> {
  const [row] = await ctx.sql.query<Import>(
    `SELECT ${columns} FROM platform.imports AS i WHERE ${one}`,
    keyOf(ctx, id),
  );
  return row ?? null;
}

export async function importsPage(
  ctx: Context,
  request: PageRequest,
  kinds: readonly string[],
): Promise<Page<Import>> {
  const params = [ctx.scope.workspaceId, ctx.scope.mode, kinds];
  const where = `${scoped} AND i.kind = ANY($3::platform."ImportKind"[])`;
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<Import>(
    `SELECT ${columns} FROM platform.imports AS i WHERE ${where} AND ($4::uuid IS NULL OR i.id ${beyond} $4)
      ORDER BY i.id ${order} LIMIT $5 OFFSET $6`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM platform.imports AS i WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

export async function insertImport(
  ctx: Context,
  id: string,
  about: Pick<Import, 'kind' | 'format' | 'mapping' | 'onDuplicate' | 'parts' | 'fileName'>,
): Promise<Import> {
  const [row] = await ctx.sql.query<Import>(
    `INSERT INTO platform.imports AS i
       (workspace_id, mode, id, kind, format, status, mapping, on_duplicate, actor, created_at, updated_at,
        parts, file_name)
     VALUES ($1, $2::platform."Mode", $3, $4::platform."ImportKind", $5::platform."ImportFormat", 'UPLOADING',
             $6, $7, $8, $9, $9, $10, $11)
     RETURNING ${columns}`,
    [
      ...keyOf(ctx, id),
      about.kind,
      about.format,
      JSON.stringify(about.mapping),
      about.onDuplicate,
      ctx.caller.actor,
      ctx.clock.now(),
      about.parts,
      about.fileName,
    ],
  );
  return row!;
}

/** Changes the mapping if the import is not started; otherwise returns null. */
export async function changeMapping(
  ctx: Context,
  id: string,
  mapping: ColumnMapping,
): Promise<Import | null> {
  const [row] = await ctx.sql.query<Import>(
    `UPDATE platform.imports AS i SET mapping = $4, updated_at = $5
      WHERE ${one} AND i.status = 'UPLOADING' RETURNING ${columns}`,
    [...keyOf(ctx, id), JSON.stringify(mapping), ctx.clock.now()],
  );
  return row ?? null;
}

/** Queues an import with a complete file; null if it is no longer uploading. */
export async function changeToQueued(
  ctx: Context,
  id: string,
  file: { readonly parts: number; readonly bytes: number; readonly fingerprint: string | null },
): Promise<Import | null> {
  const [row] = await ctx.sql.query<Import>(
    `UPDATE platform.imports AS i SET status = 'QUEUED', parts = $4, bytes = $5, updated_at = $6,
            fingerprint = $7
      WHERE ${one} AND i.status = 'UPLOADING' RETURNING ${columns}`,
    [...keyOf(ctx, id), file.parts, file.bytes, ctx.clock.now(), file.fingerprint],
  );
  return row ?? null;
}

/** Marks an import as failed; its file is kept. Has no effect on a finished import. */
export async function changeToFailed(ctx: Context, id: string, failure: string): Promise<Import | null> {
  const [row] = await ctx.sql.query<Import>(
    `UPDATE platform.imports AS i SET status = 'FAILED', failure = $4, finished_at = $5, updated_at = $5
      WHERE ${one} AND i.status IN ('QUEUED', 'RUNNING') RETURNING ${columns}`,
    [...keyOf(ctx, id), failure, ctx.clock.now()],
  );
  return row ?? null;
}

/** Queues a stopped import whose file is kept, to continue after its last row; null if there is none. */
export async function changeToContinued(ctx: Context, id: string): Promise<Import | null> {
  const [row] = await ctx.sql.query<Import>(
    `UPDATE platform.imports AS i SET status = 'QUEUED', failure = NULL, finished_at = NULL, updated_at = $4
      WHERE ${one} AND i.status IN ('FAILED', 'CANCELLED') AND i.bytes > 0
        AND EXISTS (SELECT 1 FROM platform.import_parts AS p
                     WHERE p.workspace_id = i.workspace_id AND p.mode = i.mode AND p.import_id = i.id)
      RETURNING ${columns}`,
    [...keyOf(ctx, id), ctx.clock.now()],
  );
  return row ?? null;
}

/**
 * Queues an ended import whose failed rows are kept: a further round processes them, and their issues are
 * deleted and found again. Returns null if it has no such rows or has not ended.
 */
export async function changeToNextRound(tx: Context, id: string): Promise<Import | null> {
  const [row] = await tx.sql.query<Import>(
    `UPDATE platform.imports AS i
        SET status = 'QUEUED', round = i.round + 1, processed = i.processed - i.failed, failed = 0,
            failure = NULL, finished_at = NULL, updated_at = $4
      WHERE ${one} AND i.status IN ('COMPLETED_WITH_ERRORS', 'FAILED', 'CANCELLED')
        AND EXISTS (SELECT 1 FROM platform.import_faulty_rows AS f
                     WHERE f.workspace_id = i.workspace_id AND f.mode = i.mode AND f.import_id = i.id
                       AND f.count > 0)
      RETURNING ${columns}`,
    [...keyOf(tx, id), tx.clock.now()],
  );
  if (!row) return null;
  const [left] = await tx.sql.query<{ issues: number }>(
    `WITH gone AS (DELETE FROM platform.import_issues AS e
                    WHERE ${inScope('e')} AND e.import_id = $3 AND e.severity = 'ERROR')
     UPDATE platform.imports AS i
        SET issues = coalesce((SELECT max(w.number) FROM platform.import_issues AS w
                                WHERE ${inScope('w')} AND w.import_id = $3 AND w.severity = 'WARNING'), 0)
      WHERE ${one} RETURNING i.issues`,
    keyOf(tx, id),
  );
  return { ...row, issues: left!.issues };
}

/** Cancels the import; null if it is already finished. */
export async function changeToCancelled(ctx: Context, id: string): Promise<Import | null> {
  const [row] = await ctx.sql.query<Import>(
    `UPDATE platform.imports AS i SET status = 'CANCELLED', finished_at = $4, updated_at = $4
      WHERE ${one} AND i.finished_at IS NULL RETURNING ${columns}`,
    [...keyOf(ctx, id), ctx.clock.now()],
  );
  return row ?? null;
}

/** Begins a run, which fences off every earlier run; null if the import has ended. */
export async function beginRun(ctx: Context, id: string): Promise<Import | null> {
  const [row] = await ctx.sql.query<Import>(
    `UPDATE platform.imports AS i
        SET status = 'RUNNING', run = i.run + 1, started_at = coalesce(i.started_at, $4), updated_at = $4
      WHERE ${one} AND i.status IN ('QUEUED', 'RUNNING') RETURNING ${columns}`,
    [...keyOf(ctx, id), ctx.clock.now()],
  );
  return row ?? null;
}

/** Adds a batch to the counters if the run may still write; null if it was fenced off or cancelled. */
export async function advance(
  tx: Context,
  { id, run }: Pick<Import, 'id' | 'run'>,
  done: ImportCounts & { readonly position: number; readonly issues: number },
): Promise<Import | null> {
  const [row] = await tx.sql.query<Import>(
    `UPDATE platform.imports AS i
        SET position = $5, inserted = i.inserted + $6, updated = i.updated + $7,
            skipped = i.skipped + $8, failed = i.failed + $9, issues = i.issues + $10, updated_at = $11,
            processed = i.processed + $6 + $7 + $8 + $9
      WHERE ${one} AND i.run = $4 AND i.status = 'RUNNING' RETURNING ${columns}`,
    [
      ...keyOf(tx, id),
      run,
      done.position,
      done.inserted,
      done.updated,
      done.skipped,
      done.failed,
      done.issues,
      tx.clock.now(),
    ],
  );
  return row ?? null;
}

/**
 * Ends a run as FAILED, or as COMPLETED depending on failed rows; null if it was fenced off or cancelled.
 *
 * @param unusable - the reason if the whole file is unusable, otherwise null
 */
export async function endRun(
  tx: Context,
  { id, run }: Pick<Import, 'id' | 'run'>,
  unusable: readonly Issue[] | null,
): Promise<Import | null> {
  const [row] = await tx.sql.query<Import>(
    `UPDATE platform.imports AS i
        SET status = CASE WHEN $5 THEN 'FAILED' WHEN i.failed > 0 THEN 'COMPLETED_WITH_ERRORS'
                          ELSE 'COMPLETED' END::platform."ImportStatus",
            total = CASE WHEN $5 THEN i.total ELSE i.processed END, finished_at = $6, updated_at = $6,
            issues = i.issues + $7
      WHERE ${one} AND i.run = $4 AND i.status = 'RUNNING' RETURNING ${columns}`,
    [...keyOf(tx, id), run, unusable !== null, tx.clock.now(), unusable?.length ?? 0],
  );
  return row ?? null;
}

/** Stores issues up to a total of 1,000. @param before - number of issues that the import already has */
export async function insertIssues(
  tx: Context,
  id: string,
  before: number,
  issues: readonly Issue[],
): Promise<void> {
  const kept = issues.slice(0, Math.max(0, ISSUES_MAX - before));
  if (kept.length === 0) return;
  await tx.sql.query(
    `INSERT INTO platform.import_issues
       (workspace_id, mode, import_id, number, severity, code, rule, "values", "row", "column", field,
        message)
     SELECT $1, $2::platform."Mode", $3, $4 + n, e.severity, e.code, e.rule, e."values", e."row", e."column",
            e.field, e.message
       FROM ROWS FROM (jsonb_to_recordset($5::jsonb) AS
              (severity platform."ImportSeverity", code text, rule text, "values" jsonb, "row" int,
               "column" text, field text, message text))
              WITH ORDINALITY AS e(severity, code, rule, "values", "row", "column", field, message, n)`,
    [...keyOf(tx, id), before, JSON.stringify(kept)],
  );
}

/** Returns the first issues in file order. */
export async function firstIssues(
  ctx: Context,
  id: string,
  limit: number,
  severity: Issue['severity'] | null,
): Promise<Issue[]> {
  return ctx.sql.query<Issue>(
    `SELECT severity, code, rule, "values", "row", "column", field, message FROM platform.import_issues
      WHERE ${inScope()} AND import_id = $3
        AND ($4::platform."ImportSeverity" IS NULL OR severity = $4)
      ORDER BY number LIMIT $5`,
    [...keyOf(ctx, id), severity, limit],
  );
}

/** Maximum time for an upload, and for an import without progress. */
const UPLOAD_KEPT_MS = DAY_MS;
const STUCK_MS = 7 * DAY_MS;
const STUCK_BATCH = 1_000;

/** Ends the imports, of all workspaces, that make no progress. */
export async function endStuckImports(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const params = [now, addMs(now, -UPLOAD_KEPT_MS), addMs(now, -STUCK_MS)];
  let ended: readonly unknown[];
  do {
    ended = await ctx.sql.query(
      `/* every workspace */ UPDATE platform.imports
          SET status = CASE status WHEN 'UPLOADING' THEN 'CANCELLED'
                            ELSE 'FAILED' END::platform."ImportStatus",
              failure = CASE status WHEN 'UPLOADING' THEN failure
                             ELSE 'It did not get on for seven days.' END,
              finished_at = $1, updated_at = $1
        WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM platform.imports
                 WHERE finished_at IS NULL
                   AND updated_at < CASE status WHEN 'UPLOADING' THEN $2 ELSE $3 END::timestamptz
                 LIMIT ${STUCK_BATCH} FOR UPDATE))
       RETURNING 1`,
      params,
    );
  } while (ended.length === STUCK_BATCH);
}
