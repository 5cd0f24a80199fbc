import { setTimeout as delay } from 'node:timers/promises';
import { type SigningSecrets, signSocket } from '@loyalty/platform/identity/caller-token';
import { reconnectDelayMs } from '@loyalty/platform/live/listeners';
import { type Client, type ClientOptions, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** Maximum time for a subgraph to accept a socket, and then to accept the gateway's token. */
const CONNECT_MS = 5_000;
/** Time after which a socket without subscriptions is closed. */
const IDLE_MS = 1_000;
const PING_EVERY_MS = 15_000;
const PONG_MS = 5_000;
/** Number of times that the wait between attempts to connect doubles, up to 1.6 s. */
const DOUBLINGS_MAX = 4;

/** A socket that opens when it is needed, and opens again if it is lost while it is needed. */
export interface UpstreamSocket {
  readonly client: Client;
  /** Calls the listener once the socket is open. Returns a function that removes it. */
  whenOpen(listener: () => void): () => void;
}

interface UpstreamSocketOptions {
  /** URL of the subgraph over HTTP; its socket has the same address. */
  readonly url: string;
  /** Keys that sign, for each connection, that the client is the gateway. */
  readonly secrets: SigningSecrets | undefined;
  /** Ends the waits between attempts when it aborts. */
  readonly closing: AbortSignal;
  readonly onLost: (closed: { code?: number; reason?: string }) => void;
}

/** Creates a socket that connects with the first subscription. */
export function createUpstreamSocket(options: UpstreamSocketOptions): UpstreamSocket {
  const { url, secrets, closing, onLost } = options;
  const waiting = new Set<() => void>();
  let isOpen = false;
  const client: Client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: BoundedWebSocket,
    connectionAckWaitTimeout: CONNECT_MS,
    lazyCloseTimeout: IDLE_MS,
    keepAlive: PING_EVERY_MS,
    ...(secrets && { connectionParams: async () => ({ token: await signSocket(secrets) }) }),
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: (attempts) => waitBefore(attempts, closing),
    on: {
      ...heartbeat(() => client.terminate()),
      connected() {
        isOpen = true;
        for (const listener of waiting) listener();
        waiting.clear();
      },
      closed(event) {
        isOpen = false;
        const { code, reason } = event as { code: number; reason: string };
        if (code !== 1_000) onLost({ code, reason });
      },
    },
  });
  return {
    client,
    whenOpen(listener) {
      if (isOpen) listener();
      else waiting.add(listener);
      return () => void waiting.delete(listener);
    },
  };
}

async function waitBefore(attempts: number, signal: AbortSignal): Promise<void> {
  const ms = reconnectDelayMs(Math.min(attempts, DOUBLINGS_MAX));
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** A peer that vanished without closing is only detected by pings. */
function heartbeat(terminate: () => void): Pick<NonNullable<ClientOptions['on']>, 'ping' | 'pong'> {
  let due: NodeJS.Timeout | undefined;
  return {
    ping(isReceived) {
      if (!isReceived) due = setTimeout(terminate, PONG_MS).unref();
    },
    pong(isReceived) {
      if (isReceived) clearTimeout(due);
    },
  };
}

/** Terminates a peer that does not answer; the client library has no such option. */
const BoundedWebSocket = new Proxy(WebSocket, {
  construct: (Target, [url, protocol]: [string, string]) =>
    new Target(url, protocol, { handshakeTimeout: CONNECT_MS, perMessageDeflate: false }),
});
