import { z } from 'zod';
import type { Context } from '../context.ts';
import { setStatementTimeout } from '../database/statement-timeout.ts';
import { publishEnd, publishProgress } from '../subscriptions/publish-progress.ts';
import { type JobType, job } from '../work/jobs.ts';
import type { ExportDefinition, OpenList } from './export-definition.ts';
import { headOf, linesOf } from './export-text.ts';
import { EXPORT_NOUN, filterOf, giveUpExport, partContext } from './exports.service.ts';
import { beginRun, type Export, endStuckExports, keepPart } from './exports.store.ts';

const data = z.object({ listExportId: z.uuid(), rows: z.int().nonnegative().optional() });

/** Rows per transaction, about half a megabyte. */
const PAGE_ROWS = 1_000;

/**
 * Declares the job that writes the files of a kind. It is retried for hours, because each run continues where
 * the last one stopped.
 */
export const exportJob = <Filter>(definition: ExportDefinition<Filter>): JobType<z.infer<typeof data>> =>
  job(definition.job, data, (ctx, { listExportId }) => runExport(ctx, definition, listExportId), {
    isLong: true,
    retryLimit: 20,
    size: ({ rows }) => rows ?? null,
    onExhausted: (ctx, { listExportId }, failure) => giveUpExport(ctx, listExportId, failure),
  });

/**
 * Writes the rest of a file, from the point at which the last run was interrupted. Each page commits its part
 * of the file together with the counters and its end position, and only if no later run has begun. So no row
 * is lost or written twice, even if a process is killed. Only one page is in memory, however long the list
 * is.
 *
 * @param pageRows - rows per page
 */
export async function runExport<Filter>(
  ctx: Context,
  definition: ExportDefinition<Filter>,
  id: string,
  pageRows = PAGE_ROWS,
): Promise<void> {
  const found = await beginRun(ctx, id);
  const conditions = found && (await filterOf(ctx, found));
  if (!found || !conditions) return;
  const list = await definition.open(ctx, definition.filter.parse(conditions));
  let [place, part] = [found.position, found.parts];
  do {
    ctx.request.signal.throwIfAborted();
    const kept = await writePage(ctx, { definition, found, list, place, part, pageRows });
    if (!kept) {
      ctx.log.info({ listExportId: id, run: found.run }, 'another run has taken over, or it was cancelled');
      return;
    }
    place = kept.after;
    part += 1;
    publishProgress(ctx, EXPORT_NOUN, id);
  } while (place !== null);
  publishEnd(ctx, EXPORT_NOUN, id);
}

interface NextPage<Filter> {
  readonly definition: ExportDefinition<Filter>;
  readonly found: Export;
  readonly list: OpenList;
  readonly place: string | null;
  /** Index of the file part for this page. */
  readonly part: number;
  readonly pageRows: number;
}

/** Writes a page and returns its end position; null if the run is no longer allowed to write. */
function writePage<Filter>(
  ctx: Context,
  { definition: { columns }, found, list, place, part, pageRows }: NextPage<Filter>,
): Promise<{ readonly after: string | null } | null> {
  const { id, format } = found;
  return ctx.transaction(async (tx) => {
    await setStatementTimeout(tx, { statement: 60 });
    const { rows, after } = await list.read(tx, place, pageRows);
    const head = part === 0 ? headOf(format, columns) : '';
    const text = head + linesOf(format, columns, rows);
    const sealed = await tx.services.keyring.seal(tx.scope.workspaceId, text, partContext(id, part));
    const page = { rows: rows.length, bytes: Buffer.byteLength(text), sealed, after };
    return (await keepPart(tx, found, page)) ? { after } : null;
  });
}

/** Runs every hour. */
export const endStuckExportsJob = job('platform.end-stuck-exports', z.object({}), endStuckExports);
