import { createHash, randomInt } from 'node:crypto';
import {
  removeAbandonedDataDir,
  removeDeadTemporaryDirs,
  startEmbeddedPostgres,
} from '@loyalty/prisma/embedded/embedded-postgres';
import { temporaryDataDir } from '@loyalty/prisma/embedded/postgres-data-dir';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';
import { migrationsHash } from '@loyalty/prisma/migrate/migration-files';
import { failedWith } from '@loyalty/prisma/sqlstate';
import pg from 'pg';

/** The data with which every Jest worker can make databases. */
export interface TestServer {
  /** The connection string of a database on the server; from it other databases can be created. */
  url: string;
  /** The name of a migrated template database, to which nobody may connect. */
  template: string;
  /** A number that is part of the names of this run's databases. */
  run: number;
  /** Drops this run's databases, and the server when it is embedded. */
  stop(): Promise<void>;
}

const dataDirPrefix = 'loyalty-test-postgres-';

/** First keys of advisory locks. A live run holds a lock on its number and a shared lock on its template. */
const runLock = 772_401;
const templateLock = 772_402;

/**
 * Starts an embedded PostgreSQL, or uses an external one, and makes a template database with the current
 * migrations if there is none. Drops the databases of earlier runs that were killed, on this machine or
 * another.
 */
export async function startTestServer(externalUrl: string | undefined): Promise<TestServer> {
  if (externalUrl !== undefined && externalUrl !== '') return prepareServer(externalUrl, async () => {});
  const dataDir = temporaryDataDir(dataDirPrefix);
  await removeDeadTemporaryDirs(dataDirPrefix);
  const server = await startEmbeddedPostgres({ dataDir, fsync: false });
  const stop = async () => {
    await server.stop();
    await removeAbandonedDataDir(dataDir);
  };
  try {
    return await prepareServer(server.url, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepareServer(url: string, stopServer: () => Promise<void>): Promise<TestServer> {
  const hash = migrationsHash().slice(0, 12);
  const template = `loyalty_template_${hash}`;
  const run = randomInt(1, 2 ** 31 - 1);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  // These locks end with the connection, so a killed run releases them at once, on any machine.
  await client.query('SELECT pg_advisory_lock($1, $2)', [runLock, run]);
  await client.query('SELECT pg_advisory_lock_shared($1, $2)', [templateLock, lockKeyOf(template)]);
  await dropDeadDatabases(client);
  await makeTemplate(client, url, template, run);
  const stop = async () => {
    await dropDatabases(client, await databasesLike(client, `loyalty_test_${run}_`));
    await client.end();
    await stopServer();
  };
  return { url, template, run, stop };
}

/** Builds the template under another name and then renames it, so that a template is always complete. */
async function makeTemplate(client: pg.Client, url: string, template: string, run: number): Promise<void> {
  if ((await databasesLike(client, template)).length > 0) return;
  const draft = `loyalty_test_${run}_template`;
  await client.query(`CREATE DATABASE ${draft} TEMPLATE template0 ENCODING 'UTF8'`);
  await applyMigrations(withDatabase(url, draft));
  try {
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  } catch (error) {
    if (!failedWith(error, 'DUPLICATE_DATABASE')) throw error;
    await dropDatabases(client, [draft]); // another run was faster
  }
  // Without connections the template is never in use, so cloning never waits.
  await client.query(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`);
}

async function dropDeadDatabases(client: pg.Client): Promise<void> {
  for (const name of await databasesLike(client, 'loyalty_test_')) {
    const [, run] = /^loyalty_test_(\d+)_/.exec(name) ?? [];
    if (run !== undefined) await dropUnlessLocked(client, name, runLock, Number(run));
  }
  for (const name of await databasesLike(client, 'loyalty_template_')) {
    await dropUnlessLocked(client, name, templateLock, lockKeyOf(name));
  }
}

/**
 * PostgreSQL would give this session its own lock once more, so databases whose lock it holds are skipped.
 */
async function dropUnlessLocked(client: pg.Client, name: string, space: number, key: number): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 " +
      'AND pid = pg_backend_pid()',
    [space, key],
  );
  if (rowCount !== 0) return;
  const { rows } = await client.query<{ is_free: boolean }>(
    'SELECT pg_try_advisory_lock($1, $2) AS is_free',
    [space, key],
  );
  if (!rows[0]?.is_free) return;
  try {
    await dropDatabases(client, [name]);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1, $2)', [space, key]);
  }
}

async function databasesLike(client: pg.Client, prefix: string): Promise<string[]> {
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1) ORDER BY datname',
    [prefix],
  );
  return rows.map(({ datname }) => datname);
}

async function dropDatabases(client: pg.Client, names: string[]): Promise<void> {
  for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** The connection string of another database on the same server. */
function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

function lockKeyOf(template: string): number {
  return createHash('sha256').update(template).digest().readInt32BE() & 0x7fff_ffff;
}
