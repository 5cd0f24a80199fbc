import { failedWith } from '@loyalty/prisma/sqlstate';
import pg from 'pg';
import { createTestDatabase } from '../harness/database/database.ts';
import { columnDescriber } from './described-columns.ts';
import { neverNull } from './never-null.ts';
import { type RecordedStatement, readStatements } from './recorded-statements.ts';
import { rowTypeFaults, type TypedCall } from './row-types.ts';
import { breachesIn } from './tenant-statement.ts';
import { tablesIn, tenantTablesOf } from './tenant-tables.ts';

/**
 * Checks every statement that the product sent in this run: it must run in the shard of one workspace, and
 * its rows must have the type that the source expects.
 *
 * @throws Error with a list of the faults
 */
export async function checkStatements(folder: string): Promise<void> {
  const statements = readStatements(folder);
  if (statements.length === 0) return;
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const foreign = await foreignStatements(client, statements);
    const typed = await rowTypeFaults(await typedCalls(client, statements));
    const list = (title: string, faults: string[]) => (faults.length > 0 ? [title, ...faults] : []);
    const found = [
      ...list('Statements that are not of one workspace:', foreign),
      ...list('Rows that are not of the type that the source expects:', typed),
    ];
    if (found.length > 0) throw new Error(found.join('\n\n'));
  } finally {
    await client.end();
    await drop();
  }
}

async function foreignStatements(
  client: pg.Client,
  statements: readonly RecordedStatement[],
): Promise<string[]> {
  const tables = tenantTablesOf(await tablesIn(client));
  const found: string[] = [];
  for (const { text, sentBy } of statements) {
    const breaches = await breachesIn(text, tables).catch((error: unknown) => [String(error)]);
    if (breaches.length > 0) found.push(`${sentBy}: ${breaches.join('; ')}\n${text.trim()}`);
  }
  return found;
}

/**
 * Pairs each recorded statement with the columns of its result. Statements of Prisma are left out, because
 * Prisma checks its own types.
 */
async function typedCalls(client: pg.Client, statements: readonly RecordedStatement[]): Promise<TypedCall[]> {
  const columnsOf = await columnDescriber(client);
  const calls: TypedCall[] = [];
  for (const { text, sentBy } of statements) {
    const [, file, line] = /^(.+\.ts):(\d+)$/.exec(sentBy) ?? [];
    if (!file || !line || !isRead(text)) continue;
    const columns = await columnsOf(text).catch((error: unknown) => {
      // A temporary table that existed only in its transaction.
      if (failedWith(error, 'UNDEFINED_TABLE')) return null;
      throw new Error(`${sentBy}: ${text}`, { cause: error });
    });
    const nulls = neverNull[file] ?? {};
    const known = columns?.map((each) => ({ ...each, isNullable: each.isNullable && !nulls[each.name] }));
    if (known) calls.push({ file, line: Number(line), columns: known });
  }
  return calls;
}

/** Other statements return no rows, and some of them cannot be prepared. */
const isRead = (text: string): boolean => /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE|VALUES)\b/.test(text);
