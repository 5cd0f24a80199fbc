import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  removeDeadTemporaryDirs,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
import { temporaryDataDir } from './postgres-data-dir.ts';
import { processIdentity } from './postgres-process.ts';

export const here = fileURLToPath(new URL('.', import.meta.url));
const madeDirs: string[] = [];
export const children: ChildProcess[] = [];
export const servers: EmbeddedPostgres[] = [];

/** Ends and deletes all databases of the test file, and those of killed runs. */
export async function cleanUp(): Promise<void> {
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers) await server.stop();
  for (const dir of madeDirs) {
    const postmaster = postmasterPid(dir);
    if (postmaster !== null && processIdentity(postmaster) !== null) process.kill(postmaster, 'SIGKILL');
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  await removeDeadTemporaryDirs('loyalty-case-');
}

/** Returns a path for a data directory, which is deleted at the end. */
export function newDir(): string {
  const dir = temporaryDataDir('loyalty-case-');
  madeDirs.push(dir);
  return dir;
}

/** Starts a database in this process. */
export async function start(dataDir: string, options: { port?: number; signal?: AbortSignal } = {}) {
  const server = await startEmbeddedPostgres({ dataDir, fsync: false, ...options });
  servers.push(server);
  return server;
}

/** Runs one statement on a new connection. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a database in another process, which prints the result. */
export function startElsewhere(dataDir: string, options: { sources?: string; uid?: number } = {}) {
  const module = JSON.stringify(join(options.sources ?? here, 'embedded-postgres.ts'));
  const code = `
    const { startEmbeddedPostgres } = await import(${module});
    console.log('begin');
    const log = (line) => console.log('log ' + line);
    try {
      const { url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, fsync: false, log });
      console.log('ready ' + url);
    } catch (error) { console.log('failed ' + error.message); }
    setInterval(() => {}, 1000);`;
  const account = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...account,
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  const said = async (start: RegExp): Promise<string> => {
    for await (const line of lines) if (start.test(line)) return line.replace(start, '');
    throw new Error(`the process ended without ${start}`);
  };
  return { child, said };
}

/** Sends SIGKILL and waits for the end. */
export async function killAndWait(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Returns the pid in the lock file of the server, whether it is alive or not. */
export function postmasterPid(dir: string): number | null {
  const file = join(dir, 'cluster', 'postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null;
}

/** Returns files that a start must not leave behind. */
export function leftovers(dir: string): string[] {
  return readdirSync(dir).filter((name) => name.startsWith('draft-') || name === 'owner');
}
