import { invalid } from '../base/errors.ts';
import { atLeast } from '../base/input-rules.ts';
import type { Context } from '../context.ts';
import { loader } from '../database/loaders.ts';
import { pageRequest } from '../database/pages.ts';
import { timeZoneOf } from '../database/time-zone.ts';
import {
  chunksAfter,
  countFaulty,
  deleteChunk,
  type FaultyChunk,
  findHeader,
  insertChunks,
  keepHeader,
  nextChunk,
} from './faulty-rows.store.ts';
import { type Cells, type Issue, isRefused, type Layout } from './import-cells.ts';
import type { FieldSet } from './import-fields.ts';
import { csvLayout, jsonLayout } from './import-layout.ts';
import type { Import } from './imports.store.ts';
import type { SourceRecord } from './records.ts';

/** Context in which the keyring seals failed rows. */
const CONTEXT = 'import.faulty-rows';
/** Maximum characters and rows of one chunk; a longer row has its own chunk. */
const CHUNK_LENGTH = 256 * 1024;
const CHUNK_ROWS = 1_000;

/** A row as in the file, and the reasons for which it failed. */
interface FaultyRecord {
  readonly record: SourceRecord;
  readonly issues: readonly Issue[];
}

/**
 * Stores the failed rows of a batch, sealed, in the transaction that writes the other rows. They are deleted
 * together with the import, or IMPORT_FILE_DAYS after its end.
 *
 * @param taken - for rows that are retried: their current chunk, which is replaced
 */
export async function keepFaultyRows(
  tx: Context,
  { id, round }: Import,
  cells: readonly Cells[],
  taken: FaultyChunk | null,
): Promise<void> {
  if (taken) await deleteChunk(tx, id, taken.firstRow);
  const refused = cells.filter(isRefused);
  if (refused.length === 0) return;
  const keys = await tx.services.keyring.of(tx.scope.workspaceId);
  const { columns } = refused[0]!.layout;
  if (columns.length > 0) {
    const header = columns.map(({ header }) => header);
    await keepHeader(tx, id, keys.seal(JSON.stringify(header), CONTEXT));
  }
  const chunks: FaultyChunk[] = [];
  let texts: string[] = [];
  let [length, firstRow] = [0, refused[0]!.row];
  for (const [at, { row, record, issues }] of refused.entries()) {
    const errors = issues!.filter(({ severity }) => severity === 'ERROR');
    const text = JSON.stringify({ record, issues: errors } satisfies FaultyRecord);
    texts.push(text);
    length += text.length;
    const next = refused[at + 1];
    if (next && length < CHUNK_LENGTH && texts.length < CHUNK_ROWS) continue;
    const sealed = keys.seal(`[${texts.join()}]`, CONTEXT);
    chunks.push({ firstRow, lastRow: row, count: texts.length, sealed });
    [texts, length, firstRow] = [[], 0, next?.row ?? row];
  }
  await insertChunks(tx, id, round, chunks);
}

/** The rows of one chunk that are retried. */
export interface FaultyBatch {
  readonly chunk: FaultyChunk;
  readonly rows: Cells[];
}

/** Yields the rows that failed before this round, chunk by chunk, in file order. */
export async function* faultyBatches(
  ctx: Context,
  job: Import,
  fields: FieldSet,
): AsyncGenerator<FaultyBatch, void> {
  const layout = await layoutOf(ctx, job, fields);
  let chunk = await nextChunk(ctx, job.id, { round: job.round, after: 0 });
  while (chunk) {
    const records = await openChunk(ctx, chunk);
    yield { chunk, rows: records.map(({ record }) => layout.cellsOf(record)) };
    chunk = await nextChunk(ctx, job.id, { round: job.round, after: chunk.lastRow });
  }
}

async function layoutOf(ctx: Context, job: Import, set: FieldSet): Promise<Layout> {
  const options = { set, mapping: job.mapping, timeZone: await timeZoneOf(ctx) };
  const cells = await headerOf(ctx, job.id);
  return cells.length > 0 ? csvLayout(options, { row: 1, cells, fault: null }) : jsonLayout(options);
}

async function headerOf(ctx: Context, id: string): Promise<readonly string[]> {
  const sealed = await findHeader(ctx, id);
  return sealed ? JSON.parse(await ctx.services.keyring.open(ctx.scope.workspaceId, sealed, CONTEXT)) : [];
}

const openChunk = async (
  ctx: Context,
  { sealed }: Pick<FaultyChunk, 'sealed'>,
): Promise<readonly FaultyRecord[]> =>
  JSON.parse(await ctx.services.keyring.open(ctx.scope.workspaceId, sealed, CONTEXT));

/** Failed rows, as in the file. */
export interface FaultyRows {
  /** Header of a CSV file; empty for JSON. */
  readonly header: readonly string[];
  readonly rows: readonly {
    readonly row: number;
    readonly cells: readonly string[];
    readonly object: Readonly<Record<string, unknown>> | null;
    readonly issues: readonly Issue[];
  }[];
}

/**
 * Returns the stored failed rows of an import after a given row, in file order. A page has fewer rows than
 * requested if rows are long. An empty page is the end.
 *
 * @throws AppError VALIDATION_FAILED (400) naming first or afterRow
 */
export async function listFaultyRows(
  ctx: Context,
  id: string,
  args: { readonly first?: number | null | undefined; readonly afterRow?: number | null | undefined },
): Promise<FaultyRows> {
  const { size } = pageRequest({ first: args.first }, 100);
  const after = args.afterRow ?? 0;
  if (after < 0) throw invalid('afterRow', atLeast(0));
  const rows: FaultyRecord[] = [];
  for (const chunk of await chunksAfter(ctx, id, after, size)) {
    const found = await openChunk(ctx, chunk);
    rows.push(...found.filter(({ record }) => record.row > after));
    if (rows.length >= size) break;
  }
  return {
    header: await headerOf(ctx, id),
    rows: rows.slice(0, size).map(({ record: { row, cells, object }, issues }) => ({
      row,
      cells: cells ?? [],
      object: object ?? null,
      issues,
    })),
  };
}

/** Loads the number of stored failed rows by import. */
export const faultyByImport = loader(async (ctx, ids: readonly string[]) => {
  const counted = await countFaulty(ctx, ids);
  return new Map(counted.map(({ id, count }) => [id, count]));
});
