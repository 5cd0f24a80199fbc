import type { Context } from '../context.ts';
import { inScope, scopeOf } from './scope-sql.ts';

/** Rows over which the count of a scope is spread; the sum is the count. */
const STRIPES = 64;

/** The number of rows of a table in each scope, so that the total of a list needs no counting. */
export interface ScopeCounts {
  /**
   * Returns SQL that adds to the count, or subtracts. It is the last part of the statement that inserts or
   * deletes the rows. Each connection uses its own stripe, as far as there are enough: writers do not wait
   * for each other, and a transaction that counts twice locks one row.
   *
   * @param changed - relation with workspace_id, mode and rows, the change of each scope
   */
  add(changed: string): string;
  /** Returns the exact number of rows in the caller's workspace and mode. */
  total(ctx: Context): Promise<number>;
}

/**
 * The change of one scope for `add`: `$1` is the workspace, `$2` the mode, `rows` SQL for the number of added
 * rows.
 */
export const changeInScope = (rows: string): string =>
  `(SELECT $1::uuid AS workspace_id, $2::platform."Mode" AS mode, ${rows} AS rows)`;

/** @param table - the table of the counts: workspace_id, mode, stripe, rows */
export const scopeCounts = (table: string): ScopeCounts => ({
  add: (changed) => `
    INSERT INTO ${table} AS k (workspace_id, mode, stripe, rows)
    SELECT c.workspace_id, c.mode, pg_backend_pid() % ${STRIPES}, c.rows FROM ${changed} AS c
     WHERE c.rows <> 0 ORDER BY c.workspace_id, c.mode
    ON CONFLICT (workspace_id, mode, stripe) DO UPDATE SET rows = k.rows + excluded.rows`,
  async total(ctx) {
    const [sum] = await ctx.sql.query<{ total: number }>(
      `SELECT coalesce(sum(rows), 0)::int AS total FROM ${table}
        WHERE ${inScope()}`,
      [...scopeOf(ctx)],
    );
    return sum?.total ?? 0;
  },
});
