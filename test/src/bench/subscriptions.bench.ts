import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type ClientTask, SOCKETS_PER_KEY } from './subscription-clients.process.ts';
import type { ServerUsage, Watched } from './subscriptions.process.ts';

/**
 * Measures subscriptions of the whole product over WebSocket: how soon many sockets receive one event, how
 * much memory idle sockets use, and whether subscribing and unsubscribing leaks memory. `--quick` does a
 * tenth of it. The time of an event starts when the award is sent over HTTP, so it includes the award.
 */
const isQuick = process.argv.includes('--quick');
const scale = isQuick ? 10 : 1;
const WATCHING = 1_000 / scale;
const IDLE = 10_000 / scale;
const EVENTS = 5;
const CHURNED = 100_000 / scale;
/** The number of sockets in the test in which subscriptions are opened and ended again and again. */
const CHURN_SOCKETS = 100;
const CHURN_PER_SOCKET = 10;
const WARM_ROUNDS = 5;
const POLL_MS = 20;
const COUNT_TIMEOUT_MS = 60_000;

const server = start('./subscriptions.process.ts', ['--expose-gc'], [String(IDLE / SOCKETS_PER_KEY)]);
const clients = start('./subscription-clients.process.ts', [], []);
try {
  const [watched] = (await answerOf(server)) as [Watched];
  await benchEvent(watched);
  await benchIdle(watched);
  await benchChurn(watched);
} finally {
  clients.kill('SIGKILL');
  if (server.exitCode === null) {
    server.send('stop');
    await once(server, 'exit');
  }
}

async function benchEvent(watched: Watched): Promise<void> {
  await act({ kind: 'connect', to: watched, sockets: WATCHING });
  await act({ kind: 'subscribe', perSocket: 1 });
  await hasSubscriptions(WATCHING);
  const times: number[] = [];
  await act({ kind: 'event', to: watched });
  for (let event = 0; event < EVENTS; event += 1) times.push(await act({ kind: 'event', to: watched }));
  await act({ kind: 'close' });
  await hasSubscriptions(0);
  times.sort((a, b) => a - b);
  const ms = times.map((time) => time.toFixed(0));
  console.log(
    `${WATCHING} sockets on one event: all served in ${ms[Math.floor(EVENTS / 2)]} ms (median of ${ms.join(', ')})`,
  );
}

async function benchIdle(watched: Watched): Promise<void> {
  const before = await usage();
  await act({ kind: 'connect', to: watched, sockets: IDLE });
  const { rssBytes } = await usage();
  console.log(
    `${IDLE} idle sockets: server at ${megabytes(rssBytes)} MB, ${megabytes(before.rssBytes)} MB before`,
  );
  await act({ kind: 'close' });
}

async function benchChurn(watched: Watched): Promise<void> {
  await act({ kind: 'connect', to: watched, sockets: CHURN_SOCKETS });
  await churn(WARM_ROUNDS);
  const before = await usage('collect');
  const perRound = CHURN_SOCKETS * CHURN_PER_SOCKET;
  const started = performance.now();
  await churn(CHURNED / perRound);
  const seconds = (performance.now() - started) / 1_000;
  const after = await usage('collect');
  const change = (after.heapBytes / before.heapBytes - 1) * 100;
  console.log(
    `${CHURNED} times subscribed and left in ${seconds.toFixed(0)} s: heap after collection ` +
      `${megabytes(before.heapBytes)} MB, then ${megabytes(after.heapBytes)} MB (${change.toFixed(1)}%); ` +
      `resident ${megabytes(before.rssBytes)} MB, then ${megabytes(after.rssBytes)} MB`,
  );
  await act({ kind: 'close' });
}

/** Subscribes and unsubscribes. Each round waits until all subscriptions are open at the server. */
async function churn(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await act({ kind: 'subscribe', perSocket: CHURN_PER_SOCKET });
    await hasSubscriptions(CHURN_SOCKETS * CHURN_PER_SOCKET);
    await act({ kind: 'complete', perSocket: CHURN_PER_SOCKET });
    await hasSubscriptions(0);
  }
}

/** Waits until the server has exactly that number of subscriptions open. */
async function hasSubscriptions(expected: number): Promise<void> {
  const timeout = performance.now() + COUNT_TIMEOUT_MS;
  for (;;) {
    const { openSubscriptions } = await usage();
    if (openSubscriptions === expected) return;
    if (performance.now() > timeout)
      throw new Error(`${openSubscriptions} subscriptions are open instead of ${expected}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Reads the memory use of the server; `collect` runs garbage collection first. */
async function usage(how: 'look' | 'collect' = 'look'): Promise<ServerUsage> {
  server.send(how);
  const [usage] = (await answerOf(server)) as [ServerUsage];
  return usage;
}

async function act(task: ClientTask): Promise<number> {
  clients.send(task);
  const [{ answer }] = (await answerOf(clients)) as [{ answer: number }];
  return answer;
}

/** Resolves with the next message of a process; rejects if the process ends before. */
function answerOf(child: ChildProcess): Promise<unknown[]> {
  const ended = new AbortController();
  const exit = () => ended.abort(new Error('A process of the bench ended early: see above.'));
  child.once('exit', exit);
  return once(child, 'message', { signal: ended.signal }).finally(() => child.off('exit', exit));
}

function start(file: string, flags: string[], args: string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: flags });
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
