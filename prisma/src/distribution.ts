import pg from 'pg';

/**
 * Tables that are not distributed by workspace, with the reason: every node and every cell has a complete
 * copy. They belong to no workspace, or are needed to find a caller before the workspace is known.
 */
export const referenceTables: ReadonlyMap<string, string> = new Map([
  ['loyalty.enrollment_forms', 'found by the token that is printed on a form'],
  ['model.rate_budgets', 'calls of the model that all workers share'],
  ['platform.schedules', 'when the jobs of the product run next'],
  ['platform.workspace_keys', 'found by the id that is written into every encrypted value'],
  ['workspace.accounts', 'a person signs in by e-mail address and may be in many workspaces'],
  ['workspace.api_keys', 'a call is known by the hash of its key, and by nothing else'],
  ['workspace.email_confirmations', 'found by the token of a mail'],
  ['workspace.ended_sessions', 'read with every session, before the workspace is known'],
  ['workspace.invitations', 'found by the token of a mail'],
  ['workspace.memberships', 'the workspaces of an account'],
  ['workspace.module_switches', 'read with every caller, beside the limits of the workspace'],
  ['workspace.password_resets', 'found by the token of a mail'],
  ['workspace.workspaces', 'the tenants themselves'],
]);

/** Postgres schemas of the product. The queue has its own schema, which stays on one node. */
export const PRODUCT_SCHEMAS = ['commerce', 'engagement', 'loyalty', 'model', 'platform', 'workspace'];

/** All other tenant tables are colocated with this one, so that the rows of one workspace are on one node. */
const COLOCATED_WITH = 'loyalty.tiers';

/**
 * Returns the statements that distribute a migrated database with the Citus extension: first reference
 * tables, then each table by workspace_id, after the tables that it refers to.
 */
export async function distributionStatements(databaseUrl: string): Promise<string[]> {
  const tables = await tablesByReference(databaseUrl);
  const tenants = tables.filter((name) => !referenceTables.has(name) && name !== COLOCATED_WITH);
  return [
    ...tables
      .filter((name) => referenceTables.has(name))
      .map((name) => `SELECT create_reference_table('${name}');`),
    `SELECT create_distributed_table('${COLOCATED_WITH}', 'workspace_id', colocate_with => 'none');`,
    ...tenants.map(
      (name) =>
        `SELECT create_distributed_table('${name}', 'workspace_id', colocate_with => '${COLOCATED_WITH}');`,
    ),
  ];
}

/** Returns `schema.table` of all tables without partitions; tables without references come first. */
async function tablesByReference(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `WITH RECURSIVE tables AS (
         SELECT t.oid, n.nspname || '.' || t.relname AS name
           FROM pg_class AS t JOIN pg_namespace AS n ON n.oid = t.relnamespace
          WHERE n.nspname = ANY($1) AND t.relkind IN ('r', 'p') AND NOT t.relispartition
       ), paths AS (
         SELECT oid, name, 0 AS depth FROM tables
         UNION
         SELECT t.oid, t.name, p.depth + 1
           FROM paths AS p
           JOIN pg_constraint AS f ON f.contype = 'f' AND f.confrelid = p.oid AND f.conrelid <> p.oid
           JOIN tables AS t ON t.oid = f.conrelid
       )
       SELECT name FROM paths GROUP BY name ORDER BY max(depth), name`,
      [PRODUCT_SCHEMAS],
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
