import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import {
  removeAbandonedDataDir,
  removeDeadTemporaryDirs,
  startEmbeddedPostgres,
} from '../embedded/embedded-postgres.ts';
import { temporaryDataDir } from '../embedded/postgres-data-dir.ts';
import { EmbeddedPostgresError, reasonOf } from '../embedded/postgres-error.ts';
import { MigrationError } from './migrate.ts';
import { migrationsDir, readMigrations } from './migration-files.ts';
import { lockFileText, migrationList, type SchemaContainer, withSchemaEngine } from './schema-engine.ts';

const dataDirPrefix = 'loyalty-migrate-';

const help = `Writes the migration that leads from prisma/migrations to prisma/schema.

  npm run migrate:new -- <name>   makes prisma/migrations/<UTC timestamp>_<name>/migration.sql
  npm run migrate:new -- --check  fails when the schema and the migrations disagree
  --schema <dir>, --migrations <dir>  other directories than prisma/schema and prisma/migrations

Read and edit the SQL before it is committed; needs no database of yours.`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  try {
    const { values, positionals } = readArgs(args);
    if (values.help) {
      console.log(help);
      return 0;
    }
    const name = values.check ? null : migrationName(positionals);
    const sql = await diff(values.schema, values.migrations, interrupted.signal);
    return name === null ? reportCheck(sql) : writeMigration(values.migrations, name, sql);
  } catch (error) {
    const isExpected = error instanceof MigrationError || error instanceof EmbeddedPostgresError;
    console.error(isExpected ? error.message : error);
    return 1;
  }
}

function readArgs(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        check: { type: 'boolean', default: false },
        schema: { type: 'string', default: fileURLToPath(new URL('../../schema', import.meta.url)) },
        migrations: { type: 'string', default: migrationsDir },
      },
    });
  } catch (error) {
    throw new MigrationError(`${reasonOf(error)}; see npm run migrate:new -- --help.`);
  }
}

function migrationName(positionals: string[]): string {
  const name = positionals
    .join('_')
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (/^[a-z][a-z0-9_]{0,80}$/.test(name)) return name;
  throw new MigrationError(
    'Give the migration a name of letters, digits and dashes: npm run migrate:new -- <name>.',
  );
}

/** Returns SQL for the difference between the migrations and the schema; null if they agree. */
async function diff(schemaDir: string, dir: string, signal: AbortSignal): Promise<string | null> {
  const files = readSchema(schemaDir);
  await removeDeadTemporaryDirs(dataDirPrefix);
  const dataDir = temporaryDataDir(dataDirPrefix);
  const server = await startEmbeddedPostgres({ dataDir, fsync: false, signal }).catch(async (error) => {
    await removeAbandonedDataDir(dataDir);
    throw error;
  });
  try {
    const shadow = await makeShadowDatabase(server.url);
    return await withSchemaEngine({ database: server.url, shadow }, async (engine) => {
      const { exitCode, stdout } = await engine.diff({
        from: { tag: 'migrations', ...migrationList(dir, readMigrations(dir)) },
        to: { tag: 'schemaDatamodel', files },
        script: true,
        exitCode: true,
        filters: { externalTables: [], externalEnums: [] },
      });
      return exitCode === 0 ? null : stdout;
    });
  } catch (error) {
    throw new MigrationError(
      `The schema and the migrations cannot be compared (${reasonOf(error)}); repair them.`,
    );
  } finally {
    await server.stop();
    await removeAbandonedDataDir(dataDir);
  }
}

function readSchema(dir: string): SchemaContainer[] {
  const entries = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const names = entries.filter((name) => name.endsWith('.prisma'));
  return names.map((name) => ({ path: join(dir, name), content: readFileSync(join(dir, name), 'utf8') }));
}

async function makeShadowDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE DATABASE shadow');
  await client.end();
  const shadow = new URL(url);
  shadow.pathname = '/shadow';
  return shadow.href;
}

function reportCheck(sql: string | null): number {
  if (sql === null) return 0;
  console.error(
    'prisma/schema has changes that no migration makes; run npm run migrate:new -- <name> ' +
      `and commit the result.\n\n${sql}`,
  );
  return 1;
}

function writeMigration(dir: string, name: string, sql: string | null): number {
  if (sql === null) throw new MigrationError('The migrations already make what prisma/schema describes.');
  const folder = join(dir, `${timestampAfter(readMigrations(dir).at(-1)?.name)}_${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'migration.sql'), sql.endsWith('\n') ? sql : `${sql}\n`);
  writeFileSync(join(dir, 'migration_lock.toml'), lockFileText);
  console.log(`Wrote ${join(folder, 'migration.sql')}; read it before you commit it.`);
  return 0;
}

/** Returns the current time as YYYYMMDDHHMMSS in UTC; one more than the last migration's if that is later. */
function timestampAfter(last: string | undefined): string {
  const now = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const previous = /^\d{14}/.exec(last ?? '')?.[0] ?? '0';
  return now > previous ? now : `${BigInt(previous) + 1n}`;
}
