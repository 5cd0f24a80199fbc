import type pg from 'pg';

/**
 * Tables that are not distributed: each process and each cell reads them all. They belong to nobody, or are
 * what a caller is found by before the workspace is known.
 */
export const referenceTables: ReadonlyMap<string, string> = new Map([
  ['loyalty.enrollment_forms', 'found by the token that is printed on a form'],
  ['platform.schedules', 'when the jobs of the product run next'],
  ['platform.workspace_keys', 'found by the id that is written into every encrypted value'],
  ['workspace.accounts', 'a person signs in by e-mail address and may be in many workspaces'],
  ['workspace.api_keys', 'a call is known by the hash of its key, and by nothing else'],
  ['workspace.email_confirmations', 'found by the token of a mail'],
  ['workspace.invitations', 'found by the token of a mail'],
  ['workspace.memberships', 'the workspaces of an account'],
  ['workspace.module_switches', 'read with every caller, beside the limits of the workspace'],
  ['workspace.password_resets', 'found by the token of a mail'],
  ['workspace.workspaces', 'the tenants themselves'],
]);

/** Postgres schemas of the product; the queue has its own and stays where it is. */
export const OWN_SCHEMAS = ['commerce', 'engagement', 'loyalty', 'model', 'platform', 'workspace'];

export interface Table {
  /** `schema.table` */
  readonly name: string;
  readonly isPartition: boolean;
  /** The type of workspace_id, with its NOT NULL; null without such a column. */
  readonly workspaceColumn: string | null;
}

export async function tablesIn(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT n.nspname || '.' || t.relname AS name, t.relispartition AS "isPartition",
            (SELECT format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
               FROM pg_attribute AS a
              WHERE a.attrelid = t.oid AND a.attname = 'workspace_id') AS "workspaceColumn"
       FROM pg_class AS t JOIN pg_namespace AS n ON n.oid = t.relnamespace
      WHERE n.nspname = ANY($1) AND t.relkind IN ('r', 'p') ORDER BY 1`,
    [OWN_SCHEMAS],
  );
  return rows;
}

/** The tables, partitions too, that are distributed by workspace_id. */
export const tenantTablesOf = (tables: readonly Table[]): Set<string> =>
  new Set(
    tables
      .filter(({ name, workspaceColumn }) => workspaceColumn !== null && !referenceTables.has(name))
      .map(({ name }) => name),
  );
