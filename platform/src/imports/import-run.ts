import { setImmediate } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { refreshStatistics } from '../operations/analyze-tables.ts';
import { setStatementTimeout } from '../operations/statement-timeout.ts';
import { isBlank, isRefused } from './import-cells.ts';
import type { Cells, Issue } from './import-layout.ts';
import { deleteParts } from './import-parts.store.ts';
import { tellProgress } from './import-progress.ts';
import { readRows, type Unusable } from './import-rows.ts';
import { advance, beginRun, endRun, type Import, type ImportCounts, insertIssues } from './imports.store.ts';

/** How one kind of import reads and writes its rows. */
export interface ImportTarget<Row> {
  /** Rows in one transaction. */
  readonly batchRows: number;
  /** Tables that it fills, with their schemas. */
  readonly tables: readonly string[];
  /** Reads and checks a row; what is wrong is noted in its cells. */
  read(cells: Cells): Row;
  /** Asks what must be known before a batch is written, outside of any transaction; notes what is wrong. */
  resolve?(ctx: Context, rows: readonly ReadRow<Row>[]): Promise<void>;
  /** Writes rows that are right; notes those that turn out not to be. */
  write(tx: Context, rows: readonly ReadRow<Row>[]): Promise<Omit<ImportCounts, 'failed'>>;
  /** Tells the world that it is done. */
  finish(tx: Context, job: Import): Promise<void>;
}

/** A row with its place in the file. */
export interface ReadRow<Row> {
  readonly cells: Cells;
  readonly row: Row;
}

/**
 * Runs an import to its end, from where the last run was interrupted. Each batch commits its rows together
 * with the numbers and the place it ended at, and only while no later run has begun: whatever is killed when,
 * no row is lost and none is written twice. While PostgreSQL writes a batch the next one is read.
 *
 * @param open - prepares the kind's reading and writing
 */
export async function runImport<Row>(
  ctx: Context,
  importId: string,
  open: (ctx: Context, job: Import) => Promise<ImportTarget<Row>>,
): Promise<void> {
  const job = await beginRun(ctx, importId);
  if (!job) return;
  const target = await open(ctx, job);
  const run = { ctx, job, target, issues: job.issues };
  try {
    await end(run, await writeAll(run));
  } catch (error) {
    if (!(error instanceof Error && error.message === FENCED)) throw error;
    ctx.log.info({ importId, run: job.run }, 'another run has taken over, or the import was cancelled');
  }
}

const FENCED = 'fenced';
const READ_AT_ONCE = 100;

interface Run<Row> {
  readonly ctx: Context;
  readonly job: Import;
  readonly target: ImportTarget<Row>;
  /** Issues found so far. */
  issues: number;
}

async function writeAll<Row>(run: Run<Row>): Promise<Unusable | null> {
  const { ctx, job, target } = run;
  const rows = readRows(ctx, job, { from: job.position });
  let waiting: Cells[] = [];
  let writing: Promise<void> = Promise.resolve();
  let isFirst = job.position === 0;
  for (;;) {
    const step = await rows.next();
    if (!step.done) {
      waiting = waiting.length > 0 ? waiting.concat(step.value.rows) : step.value.rows;
      if (waiting.length < target.batchRows && !isFirst) continue;
    }
    const about = isFirst && !step.done ? step.value.layout.issues : [];
    isFirst = false;
    for (let at = 0; at < waiting.length || (at === 0 && about.length > 0); at += target.batchRows) {
      const batch = await prepare(run, waiting.slice(at, at + target.batchRows));
      await writing;
      writing = writeBatch(run, batch, at === 0 ? about : []);
      // The next turn awaits it and hears of its failure.
      writing.catch(() => {});
    }
    waiting = [];
    if (step.done) {
      await writing;
      return step.value;
    }
  }
}

interface Batch<Row> {
  readonly cells: readonly Cells[];
  readonly rows: readonly ReadRow<Row>[];
}

/** Reads a batch; blank rows are none. */
async function prepare<Row>({ ctx, target }: Run<Row>, waiting: readonly Cells[]): Promise<Batch<Row>> {
  ctx.signal.throwIfAborted();
  const rows: ReadRow<Row>[] = [];
  for (const [index, cells] of waiting.entries()) {
    // The batch before this one is being written meanwhile: its answers are not to wait for long.
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate();
    if (isRefused(cells) || isBlank(cells)) continue;
    const row = target.read(cells);
    if (!isRefused(cells)) rows.push({ cells, row });
  }
  await target.resolve?.(ctx, rows);
  return { cells: waiting, rows: rows.filter(({ cells }) => !isRefused(cells)) };
}

async function writeBatch<Row>(
  run: Run<Row>,
  { cells, rows }: Batch<Row>,
  about: readonly Issue[],
): Promise<void> {
  const { ctx, job, target } = run;
  const { kept, issues } = await ctx.transaction(async (tx) => {
    await settle(tx);
    const counts = rows.length > 0 ? await target.write(tx, rows) : NOTHING;
    const found = [...about, ...cells.flatMap((each) => each.issues ?? [])];
    const failed = cells.reduce((sum, each) => sum + (isRefused(each) ? 1 : 0), 0);
    const position = cells.at(-1)?.row ?? job.position;
    await insertIssues(tx, job.id, run.issues, found);
    const kept = await advance(tx, job, { ...counts, failed, position, issues: found.length });
    if (!kept) throw new Error(FENCED);
    return { kept, issues: run.issues + found.length };
  });
  run.issues = issues;
  tellProgress(ctx, kept.id);
  await refreshStatistics(ctx, target.tables);
}

const NOTHING = { inserted: 0, updated: 0, skipped: 0 };

/**
 * A batch may take longer than a request. It need not wait for the disk: a crash of PostgreSQL loses rows and
 * numbers together, and the last transaction, which does wait, makes all before it durable.
 */
const settle = (tx: Context): Promise<unknown> =>
  tx.sql.query(
    `SELECT set_config('statement_timeout', '60s', true), set_config('lock_timeout', '20s', true),
            set_config('synchronous_commit', 'off', true)`,
  );

async function end<Row>({ ctx, job, target, issues }: Run<Row>, unusable: Unusable | null): Promise<void> {
  await ctx.transaction(async (tx) => {
    await setStatementTimeout(tx, { statement: 60 });
    if (unusable) await insertIssues(tx, job.id, issues, unusable.issues);
    const ended = await endRun(tx, job, unusable?.issues ?? null);
    if (!ended) throw new Error(FENCED);
    await deleteParts(tx, job.id);
    if (!unusable) await target.finish(tx, ended);
  });
  tellProgress(ctx, job.id, true);
}
