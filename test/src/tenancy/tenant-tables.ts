import { PRODUCT_SCHEMAS, referenceTables } from '@loyalty/prisma/distribution';
import type pg from 'pg';

export interface Table {
  /** The name as `schema.table`. */
  readonly name: string;
  readonly isPartition: boolean;
  /** The type of workspace_id with its NOT NULL; null if the table has no such column. */
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
    [PRODUCT_SCHEMAS],
  );
  return rows;
}

/** The tables, partitions included, that are distributed by workspace_id. */
export const tenantTablesOf = (tables: readonly Table[]): Set<string> =>
  new Set(
    tables
      .filter(({ name, workspaceColumn }) => workspaceColumn !== null && !referenceTables.has(name))
      .map(({ name }) => name),
  );
