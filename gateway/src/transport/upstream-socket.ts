import { setTimeout as delay } from 'node:timers/promises';
import { type SigningSecrets, signSocket } from '@loyalty/platform/identity/caller-token';
import { reconnectDelayMs } from '@loyalty/platform/live/listeners';
import { type Client, type ClientOptions, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** How long a subgraph may take to accept a socket, and then the gateway's token. */
const CONNECT_MS = 5_000;
/** A socket without subscriptions closes after this long. */
const IDLE_MS = 1_000;
const PING_EVERY_MS = 15_000;
const PONG_MS = 5_000;
/** The wait between two attempts to connect doubles this often, up to 1.6 s. */
const DOUBLINGS_MAX = 4;

/** A socket that opens when it is needed, and opens again when it is lost while it is needed. */
export interface UpstreamSocket {
  readonly client: Client;
  /** Calls the listener once, as soon as the socket is open. Returns a function that removes it. */
  whenOpen(listener: () => void): () => void;
}

interface UpstreamSocketOptions {
  /** Where the subgraph answers over HTTP; its socket is at the same address. */
  readonly url: string;
  /** Sign, anew for every connection, that we are the gateway. */
  readonly secrets: SigningSecrets | undefined;
  /** Ends the waits between two attempts. */
  readonly closing: AbortSignal;
  readonly onLost: (closed: { code?: number; reason?: string }) => void;
}

/** Nothing connects before the first subscription. */
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

/** A peer that vanished without closing is noticed only by pings. */
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

/** Gives up on a peer that does not answer; the client library has no place for such options. */
const BoundedWebSocket = new Proxy(WebSocket, {
  construct: (Target, [url, protocol]: [string, string]) =>
    new Target(url, protocol, { handshakeTimeout: CONNECT_MS, perMessageDeflate: false }),
});
