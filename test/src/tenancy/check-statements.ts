import pg from 'pg';
import { createTestDatabase } from '../harness/database/database.ts';
import { readStatements } from './recorded-statements.ts';
import { breachesIn } from './tenant-statement.ts';
import { tablesIn, tenantTablesOf } from './tenant-tables.ts';

/**
 * Checks every statement that the product sent in this run.
 *
 * @throws Error that lists those that do not run in one workspace's shard
 */
export async function checkStatements(folder: string): Promise<void> {
  const statements = readStatements(folder);
  if (statements.length === 0) return;
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tables = tenantTablesOf(await tablesIn(client).finally(() => client.end()));
  await drop();
  const found: string[] = [];
  for (const { text, sentBy } of statements) {
    const breaches = await breachesIn(text, tables).catch((error: unknown) => [String(error)]);
    if (breaches.length > 0) found.push(`${sentBy}: ${breaches.join('; ')}\n${text.trim()}`);
  }
  if (found.length > 0) throw new Error(`Statements that are not of one workspace:\n\n${found.join('\n\n')}`);
}
