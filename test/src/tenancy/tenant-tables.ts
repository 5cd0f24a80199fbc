import type pg from 'pg';

/** Tables without tenants, or found before the workspace is known: each process and each cell has them all. */
export const referenceTables: ReadonlyMap<string, string> = new Map([
  ['workspace.workspaces', 'the tenants themselves'],
  ['workspace.accounts', 'a person signs in by e-mail address and may be in many workspaces'],
  ['workspace.memberships', 'the workspaces of an account'],
  ['workspace.invitations', 'found by the token of a mail, before its reader has an account'],
  ['workspace.password_resets', 'of accounts'],
  ['workspace.email_confirmations', 'of accounts'],
  ['workspace.api_keys', 'a call is known by the hash of its key, and nothing else'],
  ['platform.workspace_keys', 'found by the id that is written into every encrypted value'],
  ['platform.schedules', 'jobs of the product'],
]);

/** `schema.table` of the tables, partitions too, that are distributed by workspace_id. */
export async function tenantTables(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.columns
      WHERE column_name = 'workspace_id' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  return new Set(rows.map(({ name }) => name).filter((name) => !referenceTables.has(name)));
}
