import { fileURLToPath } from 'node:url';
import { type Config, ConfigError, loadConfig } from '@loyalty/platform/config/config';
import { createLog } from '@loyalty/platform/observe/log';
import { startEmbeddedPostgres } from '@loyalty/prisma/embedded/embedded-postgres';
import { defaultDataDir } from '@loyalty/prisma/embedded/postgres-data-dir';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';

export type ConnectedConfig = Config & { readonly DATABASE_URL: string };

/** Checked settings, with the URL of a database. */
export interface Environment {
  readonly config: ConnectedConfig;
  /** Stops the embedded database, if there is one. */
  close(): Promise<void>;
}

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** Reads and checks the settings of this process. @throws ConfigError */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(env, defaultDataDir(checkout, env['LOYALTY_DATA_DIR']));
}

/** Reads and checks the settings of a process that has no database and sends no mail. @throws ConfigError */
export function readStatelessConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(env, defaultDataDir(checkout, env['LOYALTY_DATA_DIR']), ['LOYALTY_MASTER_KEYS']);
}

/** Opens and migrates the database: that of DATABASE_URL, otherwise an embedded PostgreSQL. */
export async function openEnvironment(config: Config, say: (line: string) => void): Promise<Environment> {
  const postgres = config.DATABASE_URL ? null : await embedded(config, say);
  const DATABASE_URL = config.DATABASE_URL ?? postgres!.url;
  try {
    const { applied } = await applyMigrations(DATABASE_URL);
    if (applied.length > 0) say(`Applied ${applied.length} migration${applied.length > 1 ? 's' : ''}.`);
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
  return { config: { ...config, DATABASE_URL }, close: async () => postgres?.stop() };
}

/**
 * Returns the settings of a process that shares its database with other processes.
 *
 * @throws ConfigError without DATABASE_URL
 */
export function sharedEnvironment(env: NodeJS.ProcessEnv): Environment {
  const config = readConfig(env);
  if (!config.DATABASE_URL) {
    throw new ConfigError(
      'Set DATABASE_URL: separate processes share one PostgreSQL. `loyalty start` brings its own.',
    );
  }
  return { config: { ...config, DATABASE_URL: config.DATABASE_URL }, close: async () => undefined };
}

async function embedded(config: Config, say: (line: string) => void) {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, interrupt);
  say(`Starting the embedded PostgreSQL in ${config.dataDir} …`);
  const log = createLog({ level: config.LOG_LEVEL, name: 'postgres' });
  try {
    return await startEmbeddedPostgres({
      dataDir: config.dataDir,
      signal: interrupted.signal,
      supervision: {
        onEnded: (ending) => log.error(ending, 'the embedded PostgreSQL ended and is started again'),
        onBack: () => log.warn('the embedded PostgreSQL accepts connections again'),
        onGivenUp: ({ message }) => {
          console.error(message);
          process.exit(1);
        },
      },
    });
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.removeListener(signal, interrupt);
  }
}
