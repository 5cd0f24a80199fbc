import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/embedded-postgres.ts';
import { temporaryDataDir } from '../embedded/postgres-data-dir.ts';
import { applyMigrations, MigrationError, removeEverything } from './migrate.ts';
import { readMigrations } from './migration-files.ts';
import { migrationList, withSchemaEngine } from './schema-engine.ts';

const dataDir = temporaryDataDir('loyalty-case-');
const script = fileURLToPath(new URL('./migrate-new.ts', import.meta.url));
const schemaDir = fileURLToPath(new URL('../../schema', import.meta.url));
let server: EmbeddedPostgres;
let work = '';
let dir = '';
let url = '';
let databases = 0;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir, fsync: false });
});

afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  work = mkdtempSync(join(tmpdir(), 'loyalty-migrations-'));
  dir = join(work, 'migrations');
  databases += 1;
  await query(`CREATE DATABASE case_${databases}`, server.url);
  url = server.url.replace(/\/loyalty$/, `/case_${databases}`);
  return () => rmSync(work, { recursive: true, force: true });
});

afterEach(() => rmSync(work, { recursive: true, force: true }));

async function query(sql: string, on = url): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: on });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function migration(name: string, sql: string): void {
  mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, name, 'migration.sql'), sql);
}

const functionSql = `CREATE SCHEMA loyalty;
CREATE EXTENSION IF NOT EXISTS pg_trgm; -- one; two
CREATE TABLE loyalty.notes (id int PRIMARY KEY, note text NOT NULL DEFAULT 'a;b');
CREATE FUNCTION loyalty.stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.note := NEW.note || ';'; RETURN NEW; END; $$;
CREATE TRIGGER stamp BEFORE INSERT ON loyalty.notes FOR EACH ROW EXECUTE FUNCTION loyalty.stamp();
`;

describe('applying', () => {
  test('applies in order of names, once, with semicolons in texts and functions', async () => {
    migration('20260102000000_more', 'ALTER TABLE loyalty.notes ADD COLUMN extra int;');
    migration('20260101000000_first', functionSql);
    const applied = ['20260101000000_first', '20260102000000_more'];
    expect(await applyMigrations(url, { dir })).toEqual({ applied });
    expect(await applyMigrations(url, { dir })).toEqual({ applied: [] });
    expect(await query('INSERT INTO loyalty.notes (id) VALUES (1) RETURNING note')).toEqual([
      { note: 'a;b;' },
    ]);
    const rows = await query(
      'SELECT migration_name, length(checksum) AS length, applied_steps_count AS steps, ' +
        'finished_at IS NOT NULL AS done FROM public._prisma_migrations ORDER BY started_at',
    );
    expect(rows).toEqual(applied.map((name) => ({ migration_name: name, length: 64, steps: 1, done: true })));
  });

  test("Prisma's own engine finds what was applied, and applies what comes next", async () => {
    migration('20260101000000_first', functionSql);
    await applyMigrations(url, { dir });
    migration('20260102000000_more', 'ALTER TABLE loyalty.notes ADD COLUMN extra int;');
    const input = {
      migrationsList: migrationList(dir, readMigrations(dir)),
      filters: { externalTables: [], externalEnums: [] },
    };
    const applied = await withSchemaEngine({ database: url, shadow: url }, (engine) =>
      engine.applyMigrations(input),
    );
    expect(applied.appliedMigrationNames).toEqual(['20260102000000_more']);
    expect(await applyMigrations(url, { dir })).toEqual({ applied: [] });
  });

  test('a migration that fails after its own BEGIN is undone, too', async () => {
    migration('20260101000000_first', 'BEGIN; CREATE TABLE before_it (id int); SELECT 1 / 0; COMMIT;');
    await expect(applyMigrations(url, { dir })).rejects.toThrow(/division by zero/);
    expect(await query('SELECT logs, finished_at FROM _prisma_migrations')).toEqual([
      { logs: 'division by zero', finished_at: null },
    ]);
    expect(await query("SELECT to_regclass('before_it') AS found")).toEqual([{ found: null }]);
  });

  test('eight processes that migrate one database at once apply each migration once', async () => {
    migration('20260101000000_first', `${functionSql} SELECT pg_sleep(0.3);`);
    migration('20260102000000_more', 'ALTER TABLE loyalty.notes ADD COLUMN extra int;');
    const results = await Promise.all(Array.from({ length: 8 }, () => applyMigrations(url, { dir })));
    expect(results.flatMap(({ applied }) => applied)).toEqual([
      '20260101000000_first',
      '20260102000000_more',
    ]);
    expect(await query('SELECT count(*)::int AS rows FROM public._prisma_migrations')).toEqual([{ rows: 2 }]);
  });

  test('a failing migration is undone whole, says why, and runs again once it is repaired', async () => {
    migration('20260101000000_first', 'CREATE TABLE before_it (id int); SELECT 1 / 0;');
    const failure = applyMigrations(url, { dir });
    await expect(failure).rejects.toBeInstanceOf(MigrationError);
    await expect(failure).rejects.toThrow(/20260101000000_first.*division by zero.*repair its migration.sql/);
    expect(await query("SELECT to_regclass('before_it') AS found")).toEqual([{ found: null }]);
    migration('20260101000000_first', 'CREATE TABLE before_it (id int);');
    expect(await applyMigrations(url, { dir })).toEqual({ applied: ['20260101000000_first'] });
    expect(await applyMigrations(url, { dir })).toEqual({ applied: [] });
  });

  test('a migration that left its transaction half-way is not run again', async () => {
    migration('20260101000000_first', 'CREATE TABLE one (id int); COMMIT; SELECT 1 / 0;');
    await expect(applyMigrations(url, { dir })).rejects.toThrow('division by zero');
    await expect(applyMigrations(url, { dir })).rejects.toThrow(/ended half-way.*migrate resolve/);
  });

  test('refuses a migration that was edited once applied, but not one with other line ends', async () => {
    migration('20260101000000_first', functionSql);
    await applyMigrations(url, { dir });
    migration('20260101000000_first', functionSql.replaceAll('\n', '\r\n'));
    expect(await applyMigrations(url, { dir })).toEqual({ applied: [] });
    migration('20260101000000_first', `${functionSql}SELECT 1;`);
    await expect(applyMigrations(url, { dir })).rejects.toThrow(
      /20260101000000_first was edited after this database had applied it; restore the file/,
    );
  });

  test('older code starts on a database that newer code has migrated', async () => {
    migration('20260101000000_first', functionSql);
    migration('20260102000000_more', 'ALTER TABLE loyalty.notes ADD COLUMN extra int;');
    await applyMigrations(url, { dir });
    rmSync(join(dir, '20260102000000_more'), { recursive: true });
    expect(await applyMigrations(url, { dir })).toEqual({ applied: [] });
  });

  test('a database that holds something else is left alone', async () => {
    await query('CREATE TABLE of_somebody_else (id int)');
    migration('20260101000000_first', functionSql);
    await expect(applyMigrations(url, { dir })).rejects.toThrow(
      /not empty.*set DATABASE_URL to an empty database/,
    );
  });

  test('a database that is not there is one sentence without its password', async () => {
    const failure = applyMigrations('postgresql://loyalty:secret@127.0.0.1:1/loyalty', { dir });
    await expect(failure).rejects.toThrow(
      /^The database cannot be reached \(.*ECONNREFUSED.*\); check DATABASE_URL/,
    );
    await expect(failure).rejects.not.toThrow('secret');
  });
});

function migrateNew(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [script, '--migrations', dir, ...args],
      { cwd: '/' },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe('migrate-new', () => {
  test('writes migrations that make what the schema describes, else nothing', async () => {
    const schema = join(work, 'schema');
    cpSync(schemaDir, schema, { recursive: true });
    expect(await migrateNew('--schema', schema, '--check')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has changes that no migration makes; run npm run migrate:new'),
    });
    expect(await migrateNew('--schema', schema, 'First', 'tables')).toMatchObject({ code: 0 });
    expect(await migrateNew('--schema', schema, '--check')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await migrateNew('--schema', schema, 'again')).toMatchObject({
      code: 1,
      stderr: 'The migrations already make what prisma/schema describes.\n',
    });
    const model = 'model Extra {\n  id String @id\n\n  @@map("extra")\n  @@schema("model")\n}\n';
    writeFileSync(join(schema, 'extra.prisma'), model);
    expect(await migrateNew('--schema', schema, 'extra')).toMatchObject({ code: 0 });
    const names = readdirSync(dir).sort();
    expect(names).toEqual([
      expect.stringMatching(/^\d{14}_first_tables$/),
      expect.stringMatching(/^\d{14}_extra$/),
      'migration_lock.toml',
    ]);
    expect(readFileSync(join(dir, names[1] ?? '', 'migration.sql'), 'utf8')).toContain('"model"."extra"');
    expect((await applyMigrations(url, { dir })).applied).toHaveLength(2);
  });

  test('explains itself, and refuses names that are none', async () => {
    expect(await migrateNew('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('migrate:new'),
    });
    expect(await migrateNew()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Give the migration a name'),
    });
    expect(await migrateNew('../x')).toMatchObject({ code: 1 });
  });
});

test('what was removed can be made anew, and what others keep in the database stays', async () => {
  const schemas = `SELECT nspname AS name FROM pg_namespace
                    WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema' ORDER BY 1`;
  await query('CREATE SCHEMA pgboss; CREATE SCHEMA theirs; CREATE TABLE theirs.notes (id int)');
  const first = await applyMigrations(url);
  await removeEverything(url);
  expect(await query(schemas)).toEqual([{ name: 'public' }, { name: 'theirs' }]);
  expect(await query('SELECT count(*)::int AS count FROM theirs.notes')).toEqual([{ count: 0 }]);
  expect(await applyMigrations(url)).toEqual(first);
});
