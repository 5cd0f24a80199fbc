import type { Context } from '../context.ts';

/** Pages (8 KiB) below which statistics do not matter, because the whole table is read quickly. */
const PAGES_MIN = 50;
/** Growth factor above which plans for the old size may be bad. */
const GROWTH = 10;

/**
 * Runs ANALYZE on tables that became ten times as large since their last analysis. PostgreSQL does so itself
 * within minutes. Until then, statements over thousands of rows of a newly filled table may be planned as if
 * it were empty. Long jobs call this function before they begin and while they fill a table.
 *
 * @param tables - with their schemas: `loyalty.members`
 */
export async function refreshStatistics({ sql }: Context, tables: readonly string[]): Promise<void> {
  const grown = await sql.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name
       FROM unnest($1::text[]) AS wanted(name)
       JOIN pg_class AS c ON c.oid = wanted.name::regclass
      WHERE pg_relation_size(c.oid) / 8192 > greatest($2, $3 * c.relpages)
         OR (c.reltuples <= 0 AND pg_relation_size(c.oid) / 8192 > $2)`,
    [tables, PAGES_MIN, GROWTH],
  );
  for (const { name } of grown) await sql.query(`ANALYZE ${name}`);
}
