import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase, withClient } from './database.ts';

/** The database in which the test files of this process work, one after the other. */
interface WorkerDatabase extends TestDatabase {
  /** Numbers that change with every definition that a test adds or takes away. */
  readonly shape: string;
  /** The rows that migrations wrote, by table. */
  readonly written: ReadonlyMap<string, unknown>;
}

const CLOSED_WITHIN_MS = 5_000;

/** Migrations are not run again, so nothing changes this table. */
const MIGRATIONS = 'public._prisma_migrations';

let kept: WorkerDatabase | null = null;
let isTaken = false;

/**
 * A migrated, empty database: the one of this process, or one of its own where a test file asks for a second.
 * `drop` empties it for the next file, and fails where the file left a connection behind.
 */
export async function takeDatabase(): Promise<TestDatabase> {
  // Files with modules of their own cannot hand anything on.
  if (isTaken || !('jestGlobals' in globalThis)) return createTestDatabase();
  isTaken = true;
  kept ??= await open();
  return { url: kept.url, drop: giveBack };
}

async function giveBack(): Promise<void> {
  const database = kept!;
  kept = null;
  try {
    const left = await withClient(database.url, async (client) => {
      const connections = await leftConnections(client);
      if (connections.length > 0 || (await shapeOf(client)) !== database.shape) return connections;
      await empty(client, database.written);
      kept = database;
      return [];
    });
    if (!kept) await database.drop();
    if (left.length > 0) throw new Error(`The tests of this file left connections open:\n${left.join('\n')}`);
  } finally {
    isTaken = false;
  }
}

async function open(): Promise<WorkerDatabase> {
  const database = await createTestDatabase();
  return withClient(database.url, async (client) => {
    const written = new Map<string, unknown>();
    for (const table of await usedTables(client)) {
      const { rows } = await client.query(`SELECT json_agg(t) AS rows FROM ${table} t`);
      written.set(table, rows[0].rows);
    }
    return { ...database, shape: await shapeOf(client), written };
  });
}

async function empty(client: pg.Client, written: WorkerDatabase['written']): Promise<void> {
  const used = await usedTables(client);
  if (used.length === 0) return;
  await client.query(`TRUNCATE ${used.join(', ')} RESTART IDENTITY CASCADE`);
  for (const [table, rows] of written) {
    const insert = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`;
    await client.query(insert, [JSON.stringify(rows)]);
  }
}

/** A table has a size from its first row on, until it is truncated. */
async function usedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class
     JOIN pg_namespace n ON n.oid = relnamespace
     WHERE relkind = 'r' AND nspname !~ '^(pg_|information_schema)' AND pg_relation_size(pg_class.oid) > 0`,
  );
  return rows.map(({ name }) => name).filter((name) => name !== MIGRATIONS);
}

async function shapeOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ shape: string }>(
    `SELECT concat_ws(',',
       (SELECT concat(count(*), ':', max(oid::bigint)) FROM pg_class WHERE relpersistence <> 't'),
       (SELECT concat(count(*), ':', max(oid::bigint)) FROM pg_constraint),
       (SELECT concat(count(*), ':', max(oid::bigint)) FROM pg_trigger),
       (SELECT concat(count(*), ':', max(oid::bigint)) FROM pg_proc),
       (SELECT count(*) FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relpersistence <> 't'),
       (SELECT count(*) FROM pg_db_role_setting)) AS shape`,
  );
  return rows[0]!.shape;
}

/** What others are connected, once those that are closing have had time for it. */
async function leftConnections(client: pg.Client): Promise<string[]> {
  for (const end = performance.now() + CLOSED_WITHIN_MS; ; await delay(20)) {
    const { rows } = await client.query<{ what: string }>(
      `SELECT concat_ws(' ', application_name, state, left(query, 200)) AS what FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    if (rows.length === 0 || performance.now() > end) return rows.map(({ what }) => what);
  }
}
