import type { Context } from '../context.ts';
import { inScope, scopeOf } from './scope-sql.ts';

/** A scope's count is spread over so many rows, which are summed. */
const STRIPES = 64;

/** How many rows a table has in each scope, so that the total of a list needs no count of the rows. */
export interface ScopeCounts {
  /**
   * SQL that counts more rows, or fewer. It is the last part of the statement that writes or removes them.
   * Each connection counts in a row of its own, as far as the stripes suffice: writers do not wait for each
   * other, and a transaction that counts twice locks one row.
   *
   * @param changed - relation with workspace_id, mode and rows, the change of each scope
   */
  add(changed: string): string;
  /** Rows of the caller's workspace and mode; exact. */
  total(ctx: Context): Promise<number>;
}

/** The change of one scope for `add`: `$1` is the workspace, `$2` the mode, `rows` SQL for how many more. */
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
