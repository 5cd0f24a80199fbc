import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Watched } from './subscriptions.process.ts';

/**
 * Runs many clients in one process, apart from the server so that each has its own limit of open files. It
 * performs one task after the other and answers each.
 */
export type ClientTask =
  | { readonly kind: 'connect'; readonly to: Watched; readonly sockets: number }
  | { readonly kind: 'subscribe' | 'complete'; readonly perSocket: number }
  /** The answer is the milliseconds from the award until the last socket has received its event. */
  | { readonly kind: 'event'; readonly to: Watched }
  | { readonly kind: 'close' };

export const SOCKETS_PER_KEY = 200;
/** The number of sockets that are opened at the same time. */
const OPENING = 50;
const EVENT_TIMEOUT_MS = 30_000;
const query = `subscription ($memberId: ID!) {
  memberActivity(memberId: $memberId) { id kind member { id pointsBalance } pointsTransaction { amount } }
}`;

let sockets: WebSocket[] = [];
let memberId = '';
let subscriptions = 0;
/** The number of results that each socket has received. */
const received = new Map<WebSocket, number>();
let onResult: () => void = () => undefined;

process.on('message', (task: ClientTask) => {
  perform(task).then(
    (answer) => process.send?.({ answer }),
    (error: unknown) => {
      process.stderr.write(`${error}\n`);
      process.exit(1);
    },
  );
});

// Ends this process when the bench is killed.
process.once('disconnect', () => process.exit());

async function perform(task: ClientTask): Promise<number> {
  if (task.kind === 'connect') return connectAll(task.to, task.sockets);
  if (task.kind === 'event') return award(task.to);
  if (task.kind === 'close') return closeAll();
  return sendAll(task.kind, task.perSocket);
}

async function connectAll(to: Watched, count: number): Promise<number> {
  memberId = to.memberId;
  for (let from = 0; from < count; from += OPENING) {
    const some = Array.from({ length: Math.min(OPENING, count - from) }, (_, at) => from + at);
    sockets.push(
      ...(await Promise.all(some.map((at) => connect(to, to.keys[Math.floor(at / SOCKETS_PER_KEY)]!)))),
    );
  }
  return sockets.length;
}

async function connect({ url }: Watched, key: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }));
  const [first] = (await once(socket, 'message')) as [Buffer];
  if (!String(first).includes('connection_ack')) throw new Error(`refused: ${first}`);
  socket.on('message', (data: Buffer) => hear(socket, String(data)));
  socket.on('close', (code, reason) => {
    if (!sockets.includes(socket)) return;
    process.stderr.write(`A socket was closed with ${code} ${reason}\n`);
    process.exit(1);
  });
  return socket;
}

function hear(socket: WebSocket, text: string): void {
  const message = JSON.parse(text) as { type: string; payload?: { errors?: unknown } };
  if (message.type === 'error' || message.payload?.errors) throw new Error(`An error came: ${text}`);
  if (message.type !== 'next') return;
  received.set(socket, (received.get(socket) ?? 0) + 1);
  onResult();
}

/** Starts so many subscriptions on every socket, or ends that number of its newest ones. */
function sendAll(kind: 'subscribe' | 'complete', perSocket: number): number {
  if (kind === 'complete') subscriptions -= perSocket;
  for (const socket of sockets) {
    for (let at = 0; at < perSocket; at += 1) {
      const id = String(subscriptions + at);
      const payload = { query, variables: { memberId } };
      socket.send(JSON.stringify(kind === 'subscribe' ? { id, type: kind, payload } : { id, type: kind }));
    }
  }
  if (kind === 'subscribe') subscriptions += perSocket;
  return sockets.length * perSocket;
}

async function award({ url, keys }: Watched): Promise<number> {
  received.clear();
  const all = Promise.withResolvers<void>();
  const fail = () => all.reject(new Error(`${received.size} of ${sockets.length} sockets got the event.`));
  const timer = setTimeout(fail, EVENT_TIMEOUT_MS);
  onResult = () => received.size === sockets.length && all.resolve();
  const sent = performance.now();
  const [response] = await Promise.all([
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${keys[0]}` },
      body: JSON.stringify({
        query: 'mutation ($id: ID!) { awardPoints(memberId: $id, input: { amount: 1 }) { id } }',
        variables: { id: memberId },
      }),
    }),
    all.promise,
  ]).finally(() => clearTimeout(timer));
  const served = performance.now() - sent;
  const text = await response.text();
  if (text.includes('"errors"')) throw new Error(`No points were awarded: ${text}`);
  return served;
}

async function closeAll(): Promise<number> {
  const closing = sockets;
  sockets = [];
  subscriptions = 0;
  await Promise.all(
    closing.map((socket) => {
      socket.close();
      return once(socket, 'close');
    }),
  );
  return closing.length;
}
