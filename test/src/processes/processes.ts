import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type SubgraphName, subgraphNames } from '@loyalty/platform/base/subgraph-name';
import { eventually } from '../harness/eventually.ts';
import { compileCache } from './compile-cache.ts';

const installed = process.env['PRODUCTION_TREE'];
/** The `loyalty` command of this checkout, or the one that `npm run build:production` installed. */
const command = installed
  ? `${installed}/cli/bin/loyalty.mjs`
  : fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));

/** Long enough for seven processes that start at once and share the processors with other tests. */
const START_TIMEOUT_MS = 180_000;

/** A process that runs a part of the product. */
export interface Process {
  readonly url: string;
  readonly pid: number;
  /** What it has written so far. */
  output(): string;
  /**
   * Sends the signal to this process and waits for its end. Resolves with the exit code; null if a signal
   * ended it.
   */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `loyalty <args>` on a free port of HOST, by default 127.0.0.1, and waits until it is ready. */
export async function startProcess(
  args: readonly string[],
  env: Record<string, string>,
  port?: number,
): Promise<Process> {
  const launched = launch(args, env, port ?? (await freePort()));
  try {
    await eventually(() => isReady(launched), START_TIMEOUT_MS);
  } catch (error) {
    await launched.end('SIGKILL');
    throw error;
  }
  return launched;
}

/** A process that is starting. */
export interface Launched extends Process {
  hasEnded(): boolean;
}

/** Starts a process and does not wait until it is ready. */
export function launch(args: readonly string[], env: Record<string, string>, port: number): Launched {
  const child = spawn(process.execPath, [command, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      LOG_LEVEL: 'warn',
      ...compileCache,
      ...env,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  return {
    url: `http://${env['HOST'] ?? '127.0.0.1'}:${port}`,
    pid: child.pid!,
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    end: (signal) => end(child, signal),
  };
}

async function isReady({ url, output, hasEnded }: Launched): Promise<void> {
  if (hasEnded()) throw new Error(`ended: ${output()}`);
  const { status } = await fetch(`${url}/readyz`);
  if (status !== 200) throw new Error(`not ready: ${status}`);
}

function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });
}

/** Waits for processes that start at the same time. If one fails, the others are ended. */
export async function allOrNone(starting: readonly Promise<Process>[]): Promise<Process[]> {
  const starts = await Promise.allSettled(starting);
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = starts.find((start) => start.status === 'rejected');
  if (!failed) return started;
  await Promise.all(started.map((one) => one.end('SIGKILL')));
  throw failed.reason;
}

/** The product as seven processes: five subgraphs, a worker and a gateway. */
export interface Seven {
  /** The address of the gateway. */
  readonly url: string;
  /** The settings of every process. */
  readonly env: Record<string, string>;
  /** Ends one subgraph with a signal. */
  kill(name: SubgraphName, signal: NodeJS.Signals): Promise<void>;
  /** Starts a subgraph again at the same address, after it has ended. */
  restart(name: SubgraphName): Promise<void>;
  close(): Promise<(number | null)[]>;
}

/** Starts five subgraphs, a worker and a gateway at once. None of them waits for another one. */
export async function startSeven(env: Record<string, string>): Promise<Seven> {
  const [gatewayPort, workerPort, ...ports] = await Promise.all(
    ['gateway', 'worker', ...subgraphNames].map(() => freePort()),
  );
  const addresses = Object.fromEntries(
    subgraphNames.map((name, index) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[index]}`]),
  );
  const everyone = { ...env, ...addresses };
  const startSubgraph = (name: SubgraphName) =>
    startProcess(['serve', 'subgraph', name], everyone, ports[subgraphNames.indexOf(name)]);
  const [gateway, worker, ...subgraphs] = await allOrNone([
    startProcess(['serve', 'gateway'], everyone, gatewayPort),
    startProcess(['serve', 'worker'], everyone, workerPort),
    ...subgraphNames.map(startSubgraph),
  ]);
  const started = new Map<string, Process>([
    ['gateway', gateway!],
    ['worker', worker!],
    ...subgraphNames.map((name, index) => [name, subgraphs[index]!] as const),
  ]);
  return {
    url: gateway!.url,
    env: everyone,
    restart: async (name) => void started.set(name, await startSubgraph(name)),
    kill: async (name, signal) => void (await started.get(name)!.end(signal)),
    close: () => Promise.all([...started.values()].map((one) => one.end())),
  };
}

/** A port that is free at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
