import pg from 'pg';
import { reasonOf } from '../embedded/postgres-error.ts';
import { waitForLock } from '../session-lock.ts';
import { failedWith } from '../sqlstate.ts';
import { isChecksumOf, type MigrationFile, migrationsDir, readMigrations } from './migration-files.ts';

const CONNECT_MS = 10_000;

/** The reason for which a database cannot be migrated, as one sentence that names the correction. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface MigrationOptions {
  /** Receives one line for each step. */
  log?: (line: string) => void;
  /** Default: prisma/migrations of this checkout. */
  dir?: string;
}

interface Row {
  migration_name: string;
  checksum: string;
  is_finished: boolean;
}

/**
 * Advisory lock with which processes that migrate one database wait for each other. Prisma uses the same
 * number.
 */
const migrationLock = 72_707_369;

const oldestServerVersion = 15;

/**
 * Applies all pending migrations, offline, with the bookkeeping of `prisma migrate deploy`. Many processes
 * may call it at the same time; without pending migrations, it costs two statements. Each migration is one
 * transaction. Names and checksums are Prisma's, so that `prisma migrate` reads the same table.
 *
 * @returns names of the migrations that this call applied
 * @throws MigrationError on PostgreSQL before 15, an edited or failing migration, no connection
 */
export async function applyMigrations(
  databaseUrl: string,
  { log = () => {}, dir = migrationsDir }: MigrationOptions = {},
): Promise<{ applied: string[] }> {
  const migrations = readMigrations(dir);
  const client = await connect(databaseUrl);
  try {
    await refuseOldServer(client);
    if (findPending(migrations, await readRows(client)).length === 0) return { applied: [] };
    await waitForLock(client, migrationLock, () =>
      log('another process migrates this database; waiting for it'),
    );
    const rows = await readRows(client);
    const pending = findPending(migrations, rows);
    if (pending.length === 0) return { applied: [] };
    await retryInterrupted(client, migrations, rows, log);
    log(`applying ${pending.length} migrations, up to ${pending.at(-1)?.name}`);
    await makeBookkeeping(client);
    for (const migration of pending) await applyMigration(client, migration);
    return { applied: pending.map(({ name }) => name) };
  } finally {
    await client.end().catch(() => {}); // also releases the lock
  }
}

/** Created by the queue itself, not by a migration. */
const queueSchema = 'pgboss';

/**
 * Removes everything of this platform from a database, all or nothing; other schemas stay. The next
 * `applyMigrations` creates it again. Only for databases whose data nobody needs.
 */
export async function removeEverything(databaseUrl: string, dir = migrationsDir): Promise<void> {
  const made = readMigrations(dir).flatMap(({ sql }) => [
    ...sql.matchAll(/^CREATE SCHEMA (?:IF NOT EXISTS )?"?(\w+)"?/gm),
  ]);
  const schemas = [...made.map(([, name]) => `"${name}"`), queueSchema].join(', ');
  const client = await connect(databaseUrl);
  try {
    await client.query(
      `BEGIN; DROP SCHEMA IF EXISTS ${schemas} CASCADE; DROP TABLE IF EXISTS _prisma_migrations; COMMIT`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  try {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MS });
    client.on('error', () => {});
    await client.connect();
    return client;
  } catch (error) {
    throw new MigrationError(
      `The database cannot be reached (${reasonOf(error)}); ` +
        'check DATABASE_URL and that PostgreSQL runs there.',
    );
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string; server_version: string }>(
    "SELECT current_setting('server_version_num') AS server_version_num, " +
      "current_setting('server_version') AS server_version",
  );
  const version = rows[0];
  if (version && Number(version.server_version_num) >= oldestServerVersion * 10_000) return;
  throw new MigrationError(
    `The database is PostgreSQL ${version?.server_version}; ` +
      `point DATABASE_URL to version ${oldestServerVersion} or newer.`,
  );
}

async function readRows(client: pg.Client): Promise<Row[]> {
  try {
    const { rows } = await client.query<Row>(
      'SELECT migration_name, checksum, finished_at IS NOT NULL AS is_finished ' +
        'FROM _prisma_migrations WHERE rolled_back_at IS NULL',
    );
    return rows;
  } catch (error) {
    if (failedWith(error, 'UNDEFINED_TABLE')) return [];
    throw new MigrationError(
      `The table _prisma_migrations cannot be read (${reasonOf(error)}); grant us that.`,
    );
  }
}

/** Migrations in the database that are not on disk come from newer code, beside which older code may run. */
function findPending(migrations: MigrationFile[], rows: Row[]): MigrationFile[] {
  const found = new Map(rows.map((row) => [row.migration_name, row]));
  return migrations.filter((migration) => {
    const row = found.get(migration.name);
    if (row !== undefined && !isChecksumOf(migration, row.checksum) && row.is_finished) {
      throw new MigrationError(
        `The migration ${migration.name} was edited after this database had applied it; ` +
          'restore the file and put the change into a new migration (npm run migrate:new -- <name>).',
      );
    }
    return !row?.is_finished;
  });
}

/**
 * A row without an end was left by a process that failed or was killed. Its migration was one transaction, so
 * nothing of it remains and it can run again, unless it contained its own COMMIT.
 */
async function retryInterrupted(
  client: pg.Client,
  migrations: MigrationFile[],
  rows: Row[],
  log: (line: string) => void,
): Promise<void> {
  for (const { migration_name: name } of rows.filter((row) => !row.is_finished)) {
    const sql = migrations.find((migration) => migration.name === name)?.sql ?? 'commit';
    if (/\b(commit|concurrently|vacuum)\b/i.test(sql)) {
      throw new MigrationError(
        `The migration ${name} ended half-way and cannot be undone by itself; ` +
          `complete or undo its changes by hand, ` +
          `then run npx prisma migrate resolve --applied or --rolled-back ${name}.`,
      );
    }
    log(`the migration ${name} did not end last time; running it again`);
    await client.query(
      'UPDATE _prisma_migrations SET rolled_back_at = now() ' +
        'WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL',
      [name],
    );
  }
}

/**
 * Creates the table in which Prisma records applied migrations.
 *
 * @throws MigrationError if foreign tables exist
 */
async function makeBookkeeping(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_made: boolean; is_empty: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS is_made,
            NOT EXISTS (SELECT FROM pg_class AS c
                         WHERE c.relnamespace = current_schema()::regnamespace
                           AND c.relkind IN ('r', 'p', 'v', 'm')
                           AND NOT EXISTS (SELECT FROM pg_depend AS d
                                            WHERE d.objid = c.oid AND d.deptype = 'e')) AS is_empty`,
  );
  const { is_made: isMade, is_empty: isEmpty } = rows[0]!;
  if (isMade) return;
  if (!isEmpty) {
    throw new MigrationError(
      'The database is not empty, and what is in it is not of this platform; ' +
        'set DATABASE_URL to an empty database or to one of this platform.',
    );
  }
  await client.query(
    `CREATE TABLE _prisma_migrations (
       id varchar(36) PRIMARY KEY NOT NULL,
       checksum varchar(64) NOT NULL,
       finished_at timestamptz,
       migration_name varchar(255) NOT NULL,
       logs text,
       rolled_back_at timestamptz,
       started_at timestamptz NOT NULL DEFAULT now(),
       applied_steps_count integer NOT NULL DEFAULT 0)`,
  );
}

/** A script that is sent as a whole is one transaction: it is applied completely or not at all. */
async function applyMigration(client: pg.Client, { name, sql, checksum }: MigrationFile): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name)
     VALUES (gen_random_uuid(), $1, $2) RETURNING id`,
    [checksum, name],
  );
  const { id } = rows[0]!;
  try {
    await client.query(sql);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {}); // a script may contain its own BEGIN
    const reason = reasonOf(error);
    await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, reason]).catch(() => {});
    throw new MigrationError(
      `The migration ${name} failed and was undone (${reason}); repair its migration.sql and start again.`,
    );
  }
  await client.query(
    'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
    [id],
  );
}
