import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type Database, type DatabaseOptions } from '@loyalty/prisma/client';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** Timeouts of a database pool, for tests of timeouts. */
export type Timeouts = Pick<DatabaseOptions, 'connectionTimeoutMs' | 'lockTimeoutMs' | 'statementTimeoutMs'>;

/** A migrated, empty database for one test file. */
export interface TakenDatabase extends TestDatabase {
  /** Opens a pool. Without timeouts it is the shared pool, with the connections that earlier files opened. */
  connect(onStatement: (text: string) => void, timeouts?: Timeouts): Database;
}

/** The database of this process, which its test files use one after the other. */
interface WorkerDatabase extends TestDatabase {
  readonly pool: Database;
  /** A fingerprint that changes when a test creates or drops a table, constraint or the like. */
  readonly shape: string;
  /** The rows that migrations inserted, by table. */
  readonly written: ReadonlyMap<string, unknown>;
}

const POOL_SIZE = 10;
/** More time than by default: on a busy machine, a test of something else does not fail. */
const TIMEOUTS: Timeouts = { connectionTimeoutMs: 30_000, lockTimeoutMs: 20_000, statementTimeoutMs: 30_000 };
/** The application name by which tests find the connections of the shared pool. */
const POOL_NAME = 'loyalty';

const CLOSED_WITHIN_MS = 5_000;

/** Migrations run only once, so this table never changes. */
const MIGRATIONS = 'public._prisma_migrations';

let kept: WorkerDatabase | null = null;
let isTaken = false;
/** Called with each statement of the running test file. */
let listener: ((text: string) => void) | null = null;

/**
 * Takes a migrated, empty database: the shared one of this process, or a new one if the test file has taken
 * it already. `drop` empties the shared one for the next file, and fails if the file left a connection or a
 * transaction open.
 */
export async function takeDatabase(): Promise<TakenDatabase> {
  // A test file with a module registry of its own cannot share a database.
  if (isTaken || !('jestGlobals' in globalThis)) {
    const { url, drop } = await createTestDatabase();
    return { url, drop, connect: poolAt(url) };
  }
  isTaken = true;
  kept ??= await open();
  const { url, pool } = kept;
  const connect: TakenDatabase['connect'] = (onStatement, timeouts) => {
    if (timeouts) return poolAt(url)(onStatement, timeouts);
    listener = onStatement;
    return { ...pool, close: async () => {} };
  };
  return { url, connect, drop: giveBack };
}

const poolAt =
  (url: string): TakenDatabase['connect'] =>
  (onStatement, timeouts) =>
    createDatabase({
      url,
      poolSize: POOL_SIZE,
      applicationName: 'loyalty-own',
      onStatement,
      ...TIMEOUTS,
      ...timeouts,
    });

async function giveBack(): Promise<void> {
  const database = kept!;
  kept = null;
  listener = null;
  try {
    const left = await database.pool.connection(async (client) => {
      const connections = await leftConnections(client, database.pool);
      if (connections.length > 0 || (await shapeOf(client)) !== database.shape) return connections;
      await empty(client, database.written);
      kept = database;
      return [];
    });
    if (!kept) await close(database);
    if (left.length > 0) throw new Error(`The tests of this file left connections open:\n${left.join('\n')}`);
  } finally {
    isTaken = false;
  }
}

/** Does not wait for the pool, because connections that a test has kept never return. */
function close({ pool, drop }: WorkerDatabase): Promise<void> {
  void pool.close();
  return drop();
}

async function open(): Promise<WorkerDatabase> {
  const { url, drop } = await createTestDatabase();
  const pool = createDatabase({
    url,
    poolSize: POOL_SIZE,
    applicationName: POOL_NAME,
    ...TIMEOUTS,
    allowExitOnIdle: true,
    onStatement: (text) => listener?.(text),
  });
  return pool.connection(async (client) => {
    const written = new Map<string, unknown>();
    for (const table of await usedTables(client)) {
      const { rows } = await client.query(`SELECT json_agg(t) AS rows FROM ${table} t`);
      written.set(table, rows[0].rows);
    }
    return { url, drop, pool, shape: await shapeOf(client), written };
  });
}

async function empty(client: pg.PoolClient, written: WorkerDatabase['written']): Promise<void> {
  const used = await usedTables(client);
  if (used.length === 0) return;
  await client.query('BEGIN');
  await client.query('SET LOCAL statement_timeout = 0');
  await client.query(`TRUNCATE ${used.join(', ')} RESTART IDENTITY CASCADE`);
  for (const [table, rows] of written) {
    const insert = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`;
    await client.query(insert, [JSON.stringify(rows)]);
  }
  await client.query('COMMIT');
}

/** The tables that have rows. A table has a size from its first row until it is truncated. */
async function usedTables(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class
     JOIN pg_namespace n ON n.oid = relnamespace
     WHERE relkind = 'r' AND nspname !~ '^(pg_|information_schema)' AND pg_relation_size(pg_class.oid) > 0`,
  );
  return rows.map(({ name }) => name).filter((name) => name !== MIGRATIONS);
}

async function shapeOf(client: pg.PoolClient): Promise<string> {
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

/** The connections that the test file left open, after some time for those that are just closing. */
async function leftConnections(client: pg.PoolClient, pool: Database): Promise<string[]> {
  for (const end = performance.now() + CLOSED_WITHIN_MS; ; await delay(20)) {
    const { rows } = await client.query<{ what: string }>(
      `SELECT concat_ws(' ', application_name, state, left(query, 200)) AS what FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
         AND NOT (application_name = $1 AND state = 'idle')`,
      [POOL_NAME],
    );
    const taken = Object.values(pool.pools()).reduce((sum, { inUse }) => sum + inUse, 0) - 1;
    const left = rows.map(({ what }) => what);
    if (left.length === 0 && taken > 0) left.push(`${taken} that were taken from the pool`);
    if (left.length === 0 || performance.now() > end) return left;
  }
}
