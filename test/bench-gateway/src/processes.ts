import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Usage, UsageRequest } from './usage.ts';

/** A server of the bench in a process of its own. */
export interface Served {
  readonly port: number;
  usage(request?: UsageRequest): Promise<Usage>;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const usageFile = fileURLToPath(new URL('./usage.ts', import.meta.url));

/** Starts `file` with arguments that may name its port, and waits until it answers there. */
export async function serve(
  file: string,
  argumentsFor: (port: number) => readonly string[],
  cwd?: string,
): Promise<Served> {
  const port = await freePort();
  const child = fork(file, argumentsFor(port), {
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning', '--import', usageFile],
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...(cwd && { cwd }),
  });
  await answering(child, file, port);
  return {
    port,
    usage: (request = 'usage') => ask<Usage>(child, request),
    stop: () => end(child),
  };
}

/** Sends a message to a process of the bench and waits for its answer. */
export async function ask<Answer>(child: ChildProcess, message: object | string): Promise<Answer> {
  const ended = new AbortController();
  const answer = once(child, 'message', { signal: ended.signal });
  const exit = () => ended.abort(new Error('A process of the bench ended early: see above.'));
  child.once('exit', exit);
  child.send(message);
  const [received] = await answer.finally(() => child.off('exit', exit));
  return received as Answer;
}

/** Kills a process: not every gateway closes connections that are kept alive. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function answering(child: ChildProcess, file: string, port: number): Promise<void> {
  const timeout = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (answer) return;
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}: see above.`);
    if (performance.now() > timeout) {
      await end(child);
      throw new Error(`${file} does not answer after ${START_TIMEOUT_MS / 1_000} s.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
