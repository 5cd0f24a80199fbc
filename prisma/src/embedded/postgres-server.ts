import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError, throwIfInterrupted } from './postgres-error.ts';
import { isReady, serverMark } from './postgres-owner.ts';
import type { DataDir, PostgresBinaries } from './postgres-paths.ts';
import { signalProcess, spawnAs } from './postgres-process.ts';
import type { PostgresUser } from './postgres-user.ts';

export interface PostgresServer {
  port: number;
  /** Resolves with the reason, if known, when the server's main process ends. */
  ended: Promise<string>;
  /** Ends all connections and the server. Can be called twice. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  user: PostgresUser | null;
  port: number | undefined;
  /** True if the server must use this port, because its address is already known. */
  isPortFixed?: boolean;
  fsync: boolean;
  signal: AbortSignal | undefined;
  log: (line: string) => void;
}

interface Attempt extends PostgresServer {
  child: ChildProcess;
  /** Last lines of the server's log. */
  tail: string[];
  hasEnded(): boolean;
}

/** Time for a server to roll back and write its last checkpoint, before it is killed. */
const stopTimeoutMs = 30_000;

/**
 * Starts the server and waits until it accepts connections, however long it recovers from a crash.
 * @throws EmbeddedPostgresError when it ends instead, or when the signal is aborted; nothing runs then
 */
export async function startServer(
  dir: DataDir,
  binaries: PostgresBinaries,
  options: ServerOptions,
): Promise<PostgresServer> {
  const deadline = Date.now() + 20_000;
  let wanted = options.port;
  while (true) {
    throwIfInterrupted(options.signal);
    const attempt = launch(dir, binaries, { ...options, port: wanted ?? (await findFreePort()) });
    if (await becomesReady(attempt, dir, options.signal)) return attempt;
    const reason = attempt.tail.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? attempt.tail.at(-1);
    const isPortTaken = attempt.tail.some((line) => line.includes('could not bind'));
    // Backends of a killed server need a moment to detect it.
    const isStillLeaving = attempt.tail.some((line) => line.includes('pre-existing shared memory block'));
    if ((!isPortTaken && !isStillLeaving) || Date.now() > deadline) throw failure(dir, reason ?? 'no output');
    if (isPortTaken && !options.isPortFixed) {
      options.log(`port ${attempt.port} is in use, taking another one`);
      wanted = undefined;
    } else await delay(200);
  }
}

function launch(
  dir: DataDir,
  binaries: PostgresBinaries,
  options: ServerOptions & { port: number },
): Attempt {
  const settings = settingsFor(options.port, options.fsync).flatMap((setting) => ['-c', setting]);
  const child = spawnAs(options.user, binaries.postgres, ['-D', dir.cluster, ...settings], dir.root);
  const tail: string[] = [];
  const keep = (line: string) => {
    tail.push(line);
    if (tail.length > 40) tail.shift();
    options.log(line);
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', keep);
  }
  // Without this handler, process.exit() would leave the server running.
  const endWithUs = () => child.pid !== undefined && signalProcess(child.pid, 'SIGINT');
  process.once('exit', endWithUs);
  let isEnded = false;
  const closed = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      keep(`FATAL: ${error.message}`);
      if (child.pid === undefined) resolve();
    });
    child.once('close', () => resolve());
  }).then(() => {
    isEnded = true;
    process.off('exit', endWithUs);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(endingOf(code, signal, tail)));
  });
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= endServer(child, closed));
  return { port: options.port, ended, stop, child, tail, hasEnded: () => isEnded };
}

function endingOf(code: number | null, signal: NodeJS.Signals | null, tail: readonly string[]): string {
  const how = signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`;
  const line = tail.findLast((each) => /FATAL|PANIC/.test(each));
  return line === undefined ? how : `${how}: ${withoutPrefix(line)}`;
}

/**
 * SIGINT is PostgreSQL's fast shutdown; SIGQUIT is the immediate one, after which the next start recovers.
 */
async function endServer(child: ChildProcess, closed: Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) break;
    signalProcess(child.pid, signal);
    const timer = new AbortController();
    await Promise.race([closed, delay(stopTimeoutMs, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  }
  await closed;
}

async function becomesReady(
  attempt: Attempt,
  dir: DataDir,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  while (!attempt.hasEnded()) {
    if (signal?.aborted) {
      await attempt.stop();
      throwIfInterrupted(signal);
    }
    if (attempt.child.pid !== undefined && isReady(dir, attempt.child.pid)) return true;
    await delay(15);
  }
  return false;
}

function settingsFor(port: number, fsync: boolean): string[] {
  return [
    serverMark,
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_checkpoints=off',
    'random_page_cost=1.1',
    // After a crash, one call flushes the file system; opening thousands of files would take seconds.
    ...(process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
    ...(fsync ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function failure(dir: DataDir, reason: string): EmbeddedPostgresError {
  const isTaken = reason.includes('lock file "postmaster.pid" already exists');
  return new EmbeddedPostgresError(
    isTaken
      ? `The database in ${dir.root} is in use by another PostgreSQL; ` +
          'stop it, or set LOYALTY_DATA_DIR or DATABASE_URL.'
      : `PostgreSQL did not start on ${dir.cluster} (${withoutPrefix(reason)}); ` +
          'remove that cause and start again, or set LOYALTY_DATA_DIR or DATABASE_URL.',
  );
}

function withoutPrefix(logLine: string): string {
  return logLine.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '');
}
