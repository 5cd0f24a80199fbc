import autocannon from 'autocannon';
import { coldBody, pageBody, type Size } from './bench-requests.ts';

/** Sends requests from a process of its own, one task at a time, and answers with the result. */
export type Task =
  | {
      readonly kind: 'rate';
      readonly port: number;
      readonly size: Size;
      readonly connections: number;
      readonly seconds: number;
    }
  | {
      readonly kind: 'amount';
      readonly port: number;
      readonly size: Size;
      readonly connections: number;
      readonly requests: number;
    }
  | { readonly kind: 'cold'; readonly port: number; readonly operations: number };

/** Milliseconds, and requests per second. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
}

/** Each connection goes round in these. */
const BODIES_PER_CONNECTION = 100;

process.on('message', (task: Task) => {
  const work = task.kind === 'cold' ? sendCold(task) : fire(task);
  work.then(
    (seen) => process.send?.(seen),
    (error: unknown) => {
      process.stderr.write(`${error}\n`);
      process.exit(1);
    },
  );
});

// Ends this process when the bench is killed.
process.once('disconnect', () => process.exit());

async function fire(task: Exclude<Task, { kind: 'cold' }>): Promise<LoadResult> {
  const { port, size, connections } = task;
  let connection = 0;
  const options: autocannon.Options = {
    url: `http://127.0.0.1:${port}/graphql`,
    connections,
    ...(task.kind === 'amount' ? { amount: task.requests } : { duration: task.seconds }),
    setupClient(client) {
      const first = BODIES_PER_CONNECTION * connection;
      connection += 1;
      client.setRequests(Array.from({ length: BODIES_PER_CONNECTION }, (_, at) => request(size, first + at)));
    },
    verifyBody: (body) => !body?.includes('"errors"'),
  };
  // Its own percentiles are whole milliseconds.
  const times: number[] = [];
  const { non2xx, errors, mismatches, duration } = await new Promise<autocannon.Result>((resolve, reject) => {
    const load = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    load.on('response', (_client, _status, _bytes, ms) => times.push(ms));
  });
  if (non2xx + errors + mismatches > 0)
    throw new Error(`Port ${port}: ${non2xx} refused, ${errors} failed, ${mismatches} answered with errors.`);
  return summary(times, duration * 1_000);
}

const request = (size: Size, index: number): autocannon.Request => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: pageBody(size, index),
});

/** One operation after the other, none like any before. */
async function sendCold({ port, operations }: Extract<Task, { kind: 'cold' }>): Promise<LoadResult> {
  const times: number[] = [];
  const started = performance.now();
  for (let index = 0; index < operations; index += 1) {
    const sent = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: coldBody(index),
    });
    const text = await response.text();
    times.push(performance.now() - sent);
    if (!response.ok || text.includes('"errors"')) throw new Error(`Port ${port}: ${text.slice(0, 300)}`);
  }
  return summary(times, performance.now() - started);
}

function summary(times: number[], durationMs: number): LoadResult {
  if (times.length === 0)
    throw new Error('Nothing was answered in time: the machine is too busy to measure.');
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  const perSecond = times.length / (durationMs / 1_000);
  return { perSecond, p50: at(0.5), p99: at(0.99), requests: times.length };
}
