import { expect } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import { type Client, createClient, type SubscribePayload } from 'graphql-ws';
import WebSocket from 'ws';
import { openGateway, type SocketGateway } from './sockets.fixture.ts';

/** The gateway of the running test, and all clients of it. */
export let gateway: SocketGateway;
const clients: { dispose(): void | Promise<void> }[] = [];

export async function start(...options: Parameters<typeof openGateway>): Promise<void> {
  gateway = await openGateway(...options);
}

/** Stops all clients and the gateway of a test. */
export async function stop(): Promise<void> {
  for (const client of clients.splice(0)) await client.dispose();
  gateway.graph.endSource();
  await gateway.close();
}

export interface SeenMessages {
  readonly results: unknown[];
  error: unknown;
  isComplete: boolean;
  stop(): void;
}

/** A client of the graphql-ws library; `closes` contains the codes with which it was closed. */
export function client(connectionParams?: Record<string, unknown>, options = {}) {
  const closes: number[] = [];
  const made: Client = createClient({
    url: gateway.socketUrl,
    webSocketImpl: WebSocket,
    retryWait: async () => undefined,
    shouldRetry: () => true,
    retryAttempts: 1_000,
    lazyCloseTimeout: 500,
    ...(connectionParams && { connectionParams }),
    on: { closed: (event) => closes.push((event as { code: number }).code) },
    ...options,
  });
  clients.push(made);
  return {
    closes,
    subscribe(query: string, more: Partial<SubscribePayload> = {}) {
      const seen: SeenMessages = { results: [], error: null, isComplete: false, stop: () => undefined };
      seen.stop = made.subscribe(
        { query, ...more },
        {
          next: (result) => seen.results.push(result),
          error: (error) => {
            seen.error = error;
          },
          complete: () => {
            seen.isComplete = true;
          },
        },
      );
      return seen;
    },
  };
}

export const key = (id = 1) => ({ authorization: `Bearer key-${id}` });
export const value = (text: string) => ({ data: { value: text } });
export const ticking = (count = 1) => eventually(() => expect(gateway.graph.ticks.size).toBe(count));

/** A socket without the library: sends these messages and observes the end. */
export async function raw(
  options: { headers?: Record<string, string>; protocol?: string; path?: string } = {},
) {
  const socket = new WebSocket(
    gateway.socketUrl.replace('/graphql', options.path ?? '/graphql'),
    options.protocol ?? 'graphql-transport-ws',
    { headers: options.headers ?? {} },
  );
  const messages: { type: string; id?: string; payload?: unknown }[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  clients.push({ dispose: () => socket.terminate() });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  const send = (message: unknown) => socket.send(JSON.stringify(message));
  return {
    socket,
    messages,
    closed,
    send,
    async init(payload?: object) {
      send({ type: 'connection_init', payload });
      await eventually(() => expect(messages).toContainEqual({ type: 'connection_ack' }));
    },
    subscribe: (id: string, query: string, variables?: object) =>
      send({ type: 'subscribe', id, payload: { query, variables } }),
  };
}
