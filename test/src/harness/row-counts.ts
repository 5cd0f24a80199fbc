interface Queryable {
  query(text: string): Promise<unknown>;
}

const differing = (table: string, rows: string, counts: string): string => `
  SELECT workspace_id, mode, counted.rows AS counted, kept.rows AS kept
    FROM (SELECT workspace_id, mode, count(*)::int AS rows FROM ${table}
           WHERE ${rows} GROUP BY 1, 2) AS counted
    FULL JOIN (SELECT workspace_id, mode, sum(rows)::int AS rows FROM ${counts} GROUP BY 1, 2) AS kept
   USING (workspace_id, mode)
   WHERE coalesce(counted.rows, 0) <> coalesce(kept.rows, 0)`;

/** Statements that find scopes whose stored count differs from the number of rows. */
export const differingCounts = {
  'members are counted as they are': differing(
    'loyalty.members',
    'erased_at IS NULL',
    'loyalty.member_counts',
  ),
  'orders are counted as they are': differing('commerce.orders', 'true', 'commerce.order_counts'),
} as const;

/** Runs both statements and returns the rows that they find, in all workspaces. */
export async function wrongCounts(sql: Queryable): Promise<unknown[]> {
  const found = await Promise.all(Object.values(differingCounts).map((statement) => sql.query(statement)));
  return found.flat();
}
