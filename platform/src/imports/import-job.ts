import { z } from 'zod';
import { inTurns } from '../base/batches.ts';
import type { Context } from '../context.ts';
import { refreshStatistics } from '../database/analyze-tables.ts';
import { setStatementTimeout } from '../database/statement-timeout.ts';
import { publishEnd, publishProgress } from '../subscriptions/publish-progress.ts';
import { publish } from '../work/events.ts';
import { type JobType, job } from '../work/jobs.ts';
import { faultyBatches, keepFaultyRows } from './faulty-rows.service.ts';
import type { FaultyChunk } from './faulty-rows.store.ts';
import { type Cells, type Issue, isBlank, isRefused } from './import-cells.ts';
import type { ImportDefinition } from './import-definition.ts';
import { deleteParts } from './import-parts.store.ts';
import { readRows, type Unusable } from './import-rows.ts';
import { giveUpImport } from './imports.service.ts';
import {
  advance,
  beginRun,
  endRun,
  endStuckImports,
  type Import,
  type ImportCounts,
  insertIssues,
} from './imports.store.ts';

/** How the rows of one kind are written. */
export interface ImportTarget<Row> {
  /** Tables that are filled, with their schemas. */
  readonly tables: readonly string[];
  /** Looks up objects that rows refer to, before the transaction begins. Records issues. */
  resolve?(ctx: Context, rows: readonly ReadRow<Row>[]): Promise<void>;
  /** Writes valid rows; records issues for rows that turn out to be invalid. */
  write(tx: Context, rows: readonly ReadRow<Row>[]): Promise<Omit<ImportCounts, 'failed'>>;
}

/** A row with its cells, which contain its location in the file. */
export interface ReadRow<Row> {
  readonly cells: Cells;
  readonly row: Row;
}

type Open<Row> = (ctx: Context, job: Import) => Promise<ImportTarget<Row>>;

const data = z.object({ importId: z.uuid(), bytes: z.int().nonnegative().optional() });

/** Approximate bytes of one row. */
const ROW_BYTES = 100;

/**
 * Declares the job that writes the rows of files of a kind. It is retried for hours, because each run
 * continues where the last one stopped.
 */
export const importJob = <Row>(
  definition: ImportDefinition<Row>,
  open: Open<Row>,
): JobType<z.infer<typeof data>> =>
  job(definition.job, data, (ctx, { importId }) => runImport(ctx, importId, definition, open), {
    isLong: true,
    retryLimit: 20,
    size: ({ bytes }) => (bytes === undefined ? null : bytes / ROW_BYTES),
    onExhausted: (ctx, { importId }, failure) => giveUpImport(ctx, importId, failure),
  });

/**
 * Runs an import to its end, from the point at which the last run was interrupted. It writes the rows of the
 * file, or in a later round the rows that failed. Each batch commits its rows together with the counters and
 * its last row number, and only if no later run has begun. So no row is lost or written twice, even if a
 * process is killed. While PostgreSQL writes a batch, the next one is read.
 */
async function runImport<Row>(
  ctx: Context,
  importId: string,
  definition: ImportDefinition<Row>,
  open: Open<Row>,
): Promise<void> {
  const job = await beginRun(ctx, importId);
  if (!job) return;
  const target = await open(ctx, job);
  const run = { ctx, job, definition, target, issues: job.issues };
  try {
    await end(run, await writeAll(run));
  } catch (error) {
    if (!(error instanceof Error && error.message === FENCED)) throw error;
    ctx.log.info({ importId, run: job.run }, 'another run has taken over, or the import was cancelled');
  }
}

const FENCED = 'fenced';

interface Run<Row> {
  readonly ctx: Context;
  readonly job: Import;
  readonly definition: ImportDefinition<Row>;
  readonly target: ImportTarget<Row>;
  /** Number of issues so far. */
  issues: number;
}

async function writeAll<Row>(run: Run<Row>): Promise<Unusable | null> {
  const { ctx, job, definition } = run;
  const { batchRows } = definition;
  if (job.round > 0) return writeFaulty(run);
  const rows = readRows(ctx, job, definition.fields, { from: job.position });
  let waiting: Cells[] = [];
  let writing: Promise<void> = Promise.resolve();
  let isFirst = job.position === 0;
  for (;;) {
    const step = await rows.next();
    if (!step.done) {
      waiting = waiting.length > 0 ? waiting.concat(step.value.rows) : step.value.rows;
      if (waiting.length < batchRows && !isFirst) continue;
    }
    const about = isFirst && !step.done ? step.value.layout.issues : [];
    isFirst = false;
    for (let at = 0; at < waiting.length || (at === 0 && about.length > 0); at += batchRows) {
      const batch = await prepare(run, waiting.slice(at, at + batchRows));
      await writing;
      writing = writeBatch(run, batch, { about: at === 0 ? about : [] });
      // The next turn awaits the promise and throws its error.
      writing.catch(() => {});
    }
    waiting = [];
    if (step.done) {
      await writing;
      return step.value;
    }
  }
}

/** Retries the failed rows, chunk by chunk. */
async function writeFaulty<Row>(run: Run<Row>): Promise<null> {
  for await (const { chunk, rows } of faultyBatches(run.ctx, run.job, run.definition.fields))
    await writeBatch(run, await prepare(run, rows), { taken: chunk });
  return null;
}

interface Batch<Row> {
  readonly cells: readonly Cells[];
  readonly rows: readonly ReadRow<Row>[];
}

/** Reads a batch; blank rows are not counted. */
async function prepare<Row>(
  { ctx, definition, target }: Run<Row>,
  waiting: readonly Cells[],
): Promise<Batch<Row>> {
  const read = definition.reader(ctx);
  ctx.request.signal.throwIfAborted();
  const rows: ReadRow<Row>[] = [];
  // Other work includes the previous batch, which is being written.
  for await (const cells of inTurns(waiting)) {
    if (isRefused(cells) || isBlank(cells)) continue;
    const row = read(cells);
    if (!isRefused(cells)) rows.push({ cells, row });
  }
  await target.resolve?.(ctx, rows);
  return { cells: waiting, rows: rows.filter(({ cells }) => !isRefused(cells)) };
}

async function writeBatch<Row>(
  run: Run<Row>,
  { cells, rows }: Batch<Row>,
  { about = [], taken = null }: { readonly about?: readonly Issue[]; readonly taken?: FaultyChunk | null },
): Promise<void> {
  const { ctx, job, target } = run;
  run.issues = await ctx.transaction(async (tx) => {
    await setBatchLimits(tx);
    const counts = rows.length > 0 ? await target.write(tx, rows) : NOTHING;
    const found = [...about, ...cells.flatMap((each) => each.issues ?? [])];
    const failed = cells.reduce((sum, each) => sum + (isRefused(each) ? 1 : 0), 0);
    const position = taken ? job.position : (cells.at(-1)?.row ?? job.position);
    await keepFaultyRows(tx, job, cells, taken);
    await insertIssues(tx, job.id, run.issues, found);
    const isKept = await advance(tx, job, { ...counts, failed, position, issues: found.length });
    if (!isKept) throw new Error(FENCED);
    return run.issues + found.length;
  });
  publishProgress(ctx, 'import', job.id);
  await refreshStatistics(ctx, target.tables);
}

const NOTHING = { inserted: 0, updated: 0, skipped: 0 };

/**
 * A batch may take longer than a request. It need not wait for the disk: a crash of PostgreSQL loses rows and
 * counters together, and the last transaction, which waits, makes all earlier ones durable.
 */
const setBatchLimits = (tx: Context): Promise<unknown> =>
  tx.sql.query(
    `SELECT set_config('statement_timeout', '60s', true), set_config('lock_timeout', '20s', true),
            set_config('synchronous_commit', 'off', true)`,
  );

async function end<Row>(
  { ctx, job, definition, issues }: Run<Row>,
  unusable: Unusable | null,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await setStatementTimeout(tx, { statement: 60 });
    if (unusable) await insertIssues(tx, job.id, issues, unusable.issues);
    const ended = await endRun(tx, job, unusable?.issues ?? null);
    if (!ended) throw new Error(FENCED);
    await deleteParts(tx, job.id);
    if (unusable) return;
    const { inserted, updated, skipped, failed } = ended;
    await publish(tx, definition.finished, { importId: job.id, inserted, updated, skipped, failed });
  });
  publishEnd(ctx, 'import', job.id);
}

/** Runs every hour. */
export const endStuckImportsJob = job('platform.end-stuck-imports', z.object({}), endStuckImports);
