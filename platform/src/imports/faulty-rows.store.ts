import type { Context } from '../context.ts';
import { arraysOf } from '../database/array-parameters.ts';
import { inScope } from '../database/scope-sql.ts';

const keyOf = (ctx: Context, id: string): unknown[] => [ctx.scope.workspaceId, ctx.scope.mode, id];
const own = `${inScope('f')} AND f.import_id = $3`;

/** Consecutive stored failed rows of a file. Chunks do not overlap. */
export interface FaultyChunk {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly count: number;
  readonly sealed: Uint8Array;
}

/** The header of a CSV file is stored as a chunk without rows. */
const HEADER = 'f.count = 0';

/** Stores the header of a CSV file unless it is already stored. */
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

/** @param round - the round in which the rows failed: 0 is the first reading of the file */
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

/** Returns the first chunk after a row that failed in an earlier round; null if there is none. */
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

/** Deletes a chunk whose rows are retried in this transaction. */
export async function deleteChunk(tx: Context, id: string, firstRow: number): Promise<void> {
  await tx.sql.query(`DELETE FROM platform.import_faulty_rows AS f WHERE ${own} AND f.first_row = $4`, [
    ...keyOf(tx, id),
    firstRow,
  ]);
}

/** Bytes per page; the chunk that exceeds them is the last of the page. */
const PAGE_BYTES = 1024 ** 2;

/** Returns the chunks with rows after `after`, in file order, up to the size of a page. */
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

/** Counts the stored failed rows by import. */
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
