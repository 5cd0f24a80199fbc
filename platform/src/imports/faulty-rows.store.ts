import type { Context } from '../context.ts';
import { arraysOf } from '../database/array-parameters.ts';
import { inScope } from '../database/scope-sql.ts';

const keyOf = (ctx: Context, id: string): unknown[] => [ctx.scope.workspaceId, ctx.scope.mode, id];
const own = `${inScope('f')} AND f.import_id = $3`;

/** Rows of a file that failed, one after the other. They have no others between them that are kept apart. */
export interface FaultyChunk {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly count: number;
  readonly sealed: Uint8Array;
}

/** The header of a CSV file is kept as a chunk of no rows. */
const HEADER = 'f.count = 0';

/** Keeps the header of a CSV file, where it is not kept yet. */
export async function keepHeader(tx: Context, id: string, sealed: Uint8Array): Promise<void> {
  await tx.sql.query(
    `INSERT INTO platform.import_faulty_rows
       (workspace_id, mode, import_id, first_row, last_row, count, round, sealed)
     VALUES ($1, $2::platform."Mode", $3, 1, 1, 0, 0, $4) ON CONFLICT DO NOTHING`,
    [...keyOf(tx, id), sealed],
  );
}

export async function findHeader(ctx: Context, id: string): Promise<Uint8Array | null> {
  const [row] = await ctx.sql.query<{ sealed: Uint8Array }>(
    `SELECT f.sealed FROM platform.import_faulty_rows AS f WHERE ${own} AND f.first_row = 1 AND ${HEADER}`,
    keyOf(ctx, id),
  );
  return row?.sealed ?? null;
}

/** @param round - in which they failed: 0 when the file was read */
export async function insertChunks(
  tx: Context,
  id: string,
  round: number,
  chunks: readonly FaultyChunk[],
): Promise<void> {
  if (chunks.length === 0) return;
  await tx.sql.query(
    `INSERT INTO platform.import_faulty_rows
       (workspace_id, mode, import_id, round, first_row, last_row, count, sealed)
     SELECT $1, $2::platform."Mode", $3, $4, e.*
       FROM unnest($5::int[], $6::int[], $7::int[], $8::bytea[]) AS e`,
    [...keyOf(tx, id), round, ...arraysOf(chunks, 'firstRow', 'lastRow', 'count', 'sealed')],
  );
}

/** The first chunk behind a row that failed in an earlier round; null where there is none. */
export async function nextChunk(
  ctx: Context,
  id: string,
  { round, after }: { readonly round: number; readonly after: number },
): Promise<FaultyChunk | null> {
  const [row] = await ctx.sql.query<FaultyChunk>(
    `SELECT f.first_row, f.last_row, f.count, f.sealed
       FROM platform.import_faulty_rows AS f
      WHERE ${own} AND f.first_row > $4 AND f.round < $5 AND NOT ${HEADER}
      ORDER BY f.first_row LIMIT 1`,
    [...keyOf(ctx, id), after, round],
  );
  return row ?? null;
}

/** Takes a chunk away whose rows are tried again in this transaction. */
export async function deleteChunk(tx: Context, id: string, firstRow: number): Promise<void> {
  await tx.sql.query(`DELETE FROM platform.import_faulty_rows AS f WHERE ${own} AND f.first_row = $4`, [
    ...keyOf(tx, id),
    firstRow,
  ]);
}

/** Bytes that one page reads; the chunk that exceeds them is the last. */
const PAGE_BYTES = 1024 ** 2;

/** Chunks with rows behind `after`, in the order of the file, as far as one page has room. */
export async function chunksAfter(
  ctx: Context,
  id: string,
  after: number,
  limit: number,
): Promise<readonly { readonly sealed: Uint8Array }[]> {
  return ctx.sql.query(
    `SELECT c.sealed
       FROM (SELECT f.first_row, f.sealed,
                    sum(octet_length(f.sealed)) OVER (ORDER BY f.first_row) - octet_length(f.sealed) AS before
               FROM platform.import_faulty_rows AS f
              WHERE ${own} AND f.last_row > $4 AND NOT ${HEADER}
              ORDER BY f.first_row LIMIT $5) AS c
      WHERE c.before < ${PAGE_BYTES} ORDER BY c.first_row`,
    [...keyOf(ctx, id), after, limit],
  );
}

/** Rows that failed and are kept, by the import. */
export async function countFaulty(
  ctx: Context,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly count: number }[]> {
  return ctx.sql.query(
    `SELECT import_id AS id, sum(count)::int AS count FROM platform.import_faulty_rows
      WHERE ${inScope()} AND import_id = ANY($3::uuid[]) GROUP BY import_id`,
    [ctx.scope.workspaceId, ctx.scope.mode, ids],
  );
}
