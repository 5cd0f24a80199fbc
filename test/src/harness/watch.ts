import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** A subscription of a graphql-ws client over a socket of its own. */
export interface Watch {
  /** The results that have arrived so far. */
  readonly results: readonly object[];
  /** Resolves with the close code and reason when the socket is closed. */
  readonly ended: Promise<{ code: number; reason: string }>;
  stop(): Promise<void>;
}

/** Subscribes over WebSocket; resolves when the connection is acknowledged. */
export async function watch(
  url: string,
  payload: { query: string; variables?: Record<string, unknown> },
  credential: string,
): Promise<Watch> {
  const results: object[] = [];
  const ended = Promise.withResolvers<{ code: number; reason: string }>();
  const connected = Promise.withResolvers<void>();
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${credential}` },
    retryAttempts: 0,
    on: {
      connected: () => connected.resolve(),
      closed: (event) => ended.resolve(event as { code: number; reason: string }),
    },
  });
  client.subscribe(payload, {
    next: (result) => void results.push(result),
    error: (error) => connected.reject(error),
    complete: () => undefined,
  });
  await connected.promise;
  return { results, ended: ended.promise, stop: async () => client.dispose() };
}
