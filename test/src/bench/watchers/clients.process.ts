import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Committed } from './job.process.ts';
import { serveTasks } from './processes.ts';
import { watchedImport } from './watched-job.ts';

/** Runs many watchers in one process, apart from the server so that each has its own limit of open files. */
export type ClientsTask =
  | {
      readonly kind: 'watch';
      readonly url: string;
      readonly keys: readonly string[];
      readonly id: string;
      readonly watchers: number;
    }
  /** The answer is the first result of a watcher with this key. */
  | { readonly kind: 'try'; readonly url: string; readonly key: string; readonly id: string }
  /** Waits until all watchers have received the end, and compares their results with what was committed. */
  | { readonly kind: 'compare'; readonly committed: readonly Committed[] };

export interface Compared {
  readonly messages: number;
  /** The time from a commit until a watcher has received it, over all commits and watchers. */
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Watchers that did not receive the end with all committed rows. */
  readonly lost: number;
  /** Messages that were older than the message before. */
  readonly disordered: number;
}

/** The number of sockets that are opened at the same time. */
const OPENING = 50;
const END_TIMEOUT_MS = 15_000;

interface Watcher {
  /** The received states: rows processed, and milliseconds of the machine's monotonic clock. */
  readonly received: [processed: number, atMs: number][];
  isEnded: boolean;
  isCompleted: boolean;
}

const watchers: Watcher[] = [];

serveTasks<ClientsTask>(async (task) => {
  if (task.kind === 'watch') return watchAll(task);
  if (task.kind === 'try') return tryToWatch(task);
  return compare(task.committed);
});

async function watchAll({
  url,
  keys,
  id,
  watchers: count,
}: ClientsTask & { kind: 'watch' }): Promise<number> {
  for (let from = 0; from < count; from += OPENING) {
    const some = Array.from({ length: Math.min(OPENING, count - from) }, (_, at) => from + at);
    await Promise.all(some.map((at) => watch(url, keys[at % keys.length]!, id)));
  }
  return watchers.length;
}

/** Watches the job; resolves with the first state. */
async function watch(url: string, key: string, id: string): Promise<void> {
  const socket = await connect(url, key);
  const watcher: Watcher = { received: [], isEnded: false, isCompleted: false };
  watchers.push(watcher);
  socket.on('message', (data: Buffer) => take(watcher, String(data)));
  socket.on('close', (code, reason) => {
    if (!watcher.isCompleted) throw new Error(`A socket was closed with ${code} ${reason}`);
  });
  const first = once(socket, 'message');
  socket.send(subscribeMessage(id));
  await first;
}

function take(watcher: Watcher, text: string): void {
  if (text.includes('"type":"next"')) {
    const processed = Number(/"processed":(\d+)/.exec(text)?.[1]);
    if (Number.isNaN(processed)) throw new Error(`An error came: ${text}`);
    watcher.received.push([processed, Number(process.hrtime.bigint()) / 1e6]);
    watcher.isEnded = text.includes('"finishedAt":"');
  } else if (text.includes('"type":"complete"')) watcher.isCompleted = true;
  else if (text.includes('"type":"error"')) throw new Error(`An error came: ${text}`);
}

async function tryToWatch({ url, key, id }: ClientsTask & { kind: 'try' }): Promise<string> {
  const socket = await connect(url, key);
  socket.send(subscribeMessage(id));
  const [answer] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return String(answer);
}

async function connect(url: string, key: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }));
  const [first] = (await once(socket, 'message')) as [Buffer];
  if (!String(first).includes('connection_ack')) throw new Error(`refused: ${first}`);
  return socket;
}

const subscribeMessage = (id: string): string =>
  JSON.stringify({ id: '1', type: 'subscribe', payload: { query: watchedImport.query, variables: { id } } });

async function compare(committed: readonly Committed[]): Promise<Compared> {
  const timeout = performance.now() + END_TIMEOUT_MS;
  while (watchers.some(({ isCompleted }) => !isCompleted) && performance.now() < timeout)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const last = committed.at(-1)![0];
  const isWhole = ({ received, isEnded, isCompleted }: Watcher) =>
    isEnded && isCompleted && received.at(-1)?.[0] === last;
  const delays = Float64Array.from(watchers.flatMap((each) => delaysOf(each, committed))).sort();
  return {
    messages: watchers.reduce((sum, { received }) => sum + received.length, 0),
    medianMs: delays[Math.floor(delays.length / 2)]!,
    p99Ms: delays[Math.floor(delays.length * 0.99)]!,
    maxMs: delays.at(-1)!,
    lost: watchers.filter((each) => !isWhole(each)).length,
    disordered: watchers.reduce((sum, { received }) => sum + disorderIn(received), 0),
  };
}

function delaysOf({ received }: Watcher, committed: readonly Committed[]): number[] {
  const delays: number[] = [];
  let at = 0;
  for (const [processed, committedAt] of committed) {
    while (at < received.length && received[at]![0] < processed) at += 1;
    if (at < received.length) delays.push(received[at]![1] - committedAt);
  }
  return delays;
}

const disorderIn = (received: Watcher['received']): number =>
  received.filter(([processed], at) => at > 0 && processed < received[at - 1]![0]).length;
