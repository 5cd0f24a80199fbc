import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.ts';

const main = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));

/** A part of the product in a process of its own. */
export interface Process {
  readonly url: string;
  /** What it has written so far. */
  output(): string;
  /** Sends the signal to this process and waits for its end; null where a signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `loyalty <args>` on a free port and waits until it is ready. */
export async function startProcess(
  args: readonly string[],
  env: Record<string, string>,
  port?: number,
): Promise<Process> {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', ...env, PORT: String(chosen) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const url = `http://127.0.0.1:${chosen}`;
  try {
    await eventually(() => isReady(child, url, () => output), 30_000);
  } catch (error) {
    await end(child, 'SIGKILL');
    throw error;
  }
  return { url, output: () => output, end: (signal) => end(child, signal) };
}

async function isReady(child: ChildProcess, url: string, output: () => string): Promise<void> {
  if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${output()}`);
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

export const subgraphNames = ['workspace', 'loyalty', 'commerce', 'engagement', 'model'] as const;

/** The product as seven processes: five subgraphs, gateway and worker. */
export async function startSeven(
  env: Record<string, string>,
): Promise<{ url: string; close(): Promise<(number | null)[]> }> {
  const ports = await Promise.all(subgraphNames.map(() => freePort()));
  const addresses = Object.fromEntries(
    subgraphNames.map((name, index) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[index]}`]),
  );
  const everyone = { ...env, ...addresses };
  const started: Process[] = [];
  for (const [index, name] of subgraphNames.entries())
    started.push(await startProcess(['serve', 'subgraph', name], everyone, ports[index]));
  started.push(await startProcess(['serve', 'worker'], everyone));
  const gateway = await startProcess(['serve', 'gateway'], everyone);
  started.push(gateway);
  return { url: gateway.url, close: () => Promise.all(started.reverse().map((one) => one.end())) };
}

/** A port that was free a moment ago. */
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
