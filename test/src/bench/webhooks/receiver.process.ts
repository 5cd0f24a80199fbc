import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveTasks } from '../watchers/processes.ts';

/** The tasks of the receiver: to listen, to forget all deliveries, or to wait for a number of deliveries. */
export type ReceiverTask =
  | { readonly kind: 'listen' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'wait'; readonly count: number; readonly seconds: number };

/** The times at which deliveries arrived, and their delays after the events. */
export interface Arrivals {
  readonly count: number;
  /** The last arrival, in milliseconds since the epoch. */
  readonly lastAt: number;
  readonly p50Ms: number;
}

const latencies: number[] = [];
let lastAt = 0;

/**
 * `/0` is answered at once, `/50` after 50 ms, `/uncounted` at once and without being counted, `/hang` never.
 */
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => {
    const wait = request.url!.slice(1);
    if (wait === 'hang') return;
    if (wait === 'uncounted') return void response.end();
    lastAt = Date.now();
    latencies.push(lastAt - Date.parse((JSON.parse(body) as { created_at: string }).created_at));
    if (wait === '0') response.end();
    else setTimeout(() => response.end(), Number(wait));
  });
});
server.keepAliveTimeout = 60_000;

async function perform(task: ReceiverTask): Promise<unknown> {
  if (task.kind === 'listen') {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  if (task.kind === 'reset') {
    latencies.length = 0;
    return null;
  }
  const until = Date.now() + task.seconds * 1_000;
  while (latencies.length < task.count && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const sorted = latencies.toSorted((a, b) => a - b);
  return { count: sorted.length, lastAt, p50Ms: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN };
}

serveTasks(perform);
