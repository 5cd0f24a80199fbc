import type { Context } from '../context.ts';

/** Smaller tables are read at once, whatever the plan. */
const PAGES_MIN = 50;
/** From so many times the size on, plans made for the old one may be bad. */
const GROWTH = 10;

/**
 * Has PostgreSQL analyse tables that became ten times as large since it last did. It does so by itself
 * within minutes; until then statements over thousands of rows of a table that was just filled may be
 * planned as if it were empty. Long jobs call this before they begin and while they fill a table.
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
