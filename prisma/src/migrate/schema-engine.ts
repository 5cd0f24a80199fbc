import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import type { MigrationFile } from './migration-files.ts';

export type { SchemaContainer } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** Content of `migration_lock.toml`: the kind of database of the migrations. */
export const lockFileText = 'provider = "postgresql"\n';

/** Returns the migrations in the form of the schema engine. */
export function migrationList(dir: string, migrations: MigrationFile[]): MigrationList {
  const lockfile = join(dir, 'migration_lock.toml');
  return {
    baseDir: dir,
    lockfile: {
      path: 'migration_lock.toml',
      content: existsSync(lockfile) ? readFileSync(lockfile, 'utf8') : lockFileText,
    },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

/**
 * Runs `work` with Prisma's schema engine as WebAssembly on a database, and closes its connections
 * afterwards.
 *
 * @param urls.shadow - an empty database that the engine may fill
 */
export async function withSchemaEngine<T>(
  urls: { database: string; shadow: string },
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const { SchemaEngine: Engine } = await loadSchemaEngine();
  const pools: pg.Pool[] = [];
  const adapter = bindMigrationAwareSqlAdapterFactory(adapterFactory(urls, pools));
  try {
    const engine = await Engine.new({ datamodels: undefined }, () => {}, adapter);
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
}

/** The only part of WebAssembly that is used; its declarations are in the type library for browsers. */
declare const WebAssembly: {
  instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

let loaded: Promise<typeof import('@prisma/schema-engine-wasm/schema_engine_bg')> | undefined;

/** Loads the engine like the package's own entry, which needs a bundler that imports .wasm files. */
function loadSchemaEngine(): Promise<typeof import('@prisma/schema-engine-wasm/schema_engine_bg')> {
  loaded ??= (async () => {
    const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
    const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
    const code = await readFile(path.replace(/\.js$/, '.wasm'));
    const { instance } = await WebAssembly.instantiate(code, {
      './schema_engine_bg.js': { ...bindings, ...unreferencedTimers(bindings) },
    });
    bindings.__wbg_set_wasm(instance.exports);
    const { __wbindgen_start: start } = instance.exports;
    if (typeof start === 'function') start();
    return bindings;
  })();
  return loaded;
}

/** Unreferences the engine's timers, because its timeout of ten seconds would keep the process alive. */
function unreferencedTimers(bindings: object): object {
  const timers = Object.entries(bindings).filter(([name]) => name.startsWith('__wbg_setTimeout_'));
  return Object.fromEntries(
    timers.map(([name, setTimer]: [string, (...args: unknown[]) => NodeJS.Timeout]) => [
      name,
      (...args: unknown[]) => setTimer(...args).unref(),
    ]),
  );
}

function adapterFactory(
  urls: { database: string; shadow: string },
  pools: pg.Pool[],
): SqlMigrationAwareDriverAdapterFactory {
  const connect = async (url: string): Promise<SqlDriverAdapter> => {
    // Without an idle timeout, whose timer would keep the process alive for another ten seconds.
    const pool = new pg.Pool({ connectionString: url, idleTimeoutMillis: 0 });
    pool.on('error', () => {}); // the server may end an idle connection
    pools.push(pool);
    return repairedAdapter(pool);
  };
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connect(urls.database),
    // The adapter's own shadow database ignores its name if a connection string is given.
    connectToShadowDb: () => connect(urls.shadow),
  };
}

/**
 * An adapter on a pool, with two corrections.
 *
 * It splits scripts at every semicolon, which breaks functions, DO blocks and texts with semicolons. A script
 * that is sent as a whole is also one transaction, as with Prisma's native engine: it is applied completely
 * or not at all. And the adapter does not support the type "char", which PostgreSQL's catalogs use often.
 */
async function repairedAdapter(pool: pg.Pool): Promise<SqlDriverAdapter> {
  const adapter = await new PrismaPg(pool).connect();
  adapter.executeScript = async (sql) => {
    await adapter.executeRaw({ sql, args: [], argTypes: [] });
  };
  const charColumns = new WeakMap<object, number[]>();
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  Object.assign(pool, {
    query: async (config: pg.QueryConfig) => {
      const { CHAR, TEXT } = pg.types.builtins;
      const result = await query(config);
      const found = (result.fields ?? []).flatMap(({ dataTypeID }, index) =>
        dataTypeID === CHAR ? [index] : [],
      );
      for (const index of found) Object.assign(result.fields[index] ?? {}, { dataTypeID: TEXT });
      if (found.length > 0) charColumns.set(result.rows, found);
      return result;
    },
  });
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (statement) => {
    const result = await queryRaw(statement);
    for (const index of charColumns.get(result.rows) ?? [])
      result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  return adapter;
}
