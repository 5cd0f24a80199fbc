import { setImmediate as endOfTick } from 'node:timers/promises';
import pg from 'pg';
import { ASYNCHRONOUS_COMMIT } from '../base/asynchronous-commit.ts';
import { createListeners, encode, LIVE_CHANNEL, reconnectDelayMs } from './listeners.ts';
import type { Live, LiveOptions } from './live.ts';

interface Waiting {
  message: string;
  resolve: () => void;
  reject: (error: Error) => void;
}

const PUBLISH_TIMEOUT_MS = 5_000;
const HEARTBEAT_MS = 15_000;
// NOTIFY takes a global lock at commit. So many messages are sent in one statement, which does not wait for
// the disk. This is safe, because a crash of the server also disconnects all listeners.
const BATCH_SIZE = 500;

/**
 * Carries messages between processes by LISTEN and NOTIFY, on a separate connection that is opened again
 * whenever it is lost. The connection must reach PostgreSQL directly: a pooler in transaction mode does not
 * forward notifications.
 *
 * @param options.url - a PostgreSQL URL
 */
export function createPostgresLive(options: LiveOptions & { url: string }): Live {
  const listeners = createListeners(options);
  const publisher = createPublisher();
  const connection = keepListening({
    url: options.url,
    onError: options.onError ?? (() => {}),
    onMessage: listeners.deliverEncoded,
    onConnected: (client, hasLostMessages) => {
      publisher.use(client);
      if (hasLostMessages) listeners.gap();
    },
    onLost: () => publisher.use(undefined),
  });
  return {
    publish: async (channel, id) => publisher.publish(encode(channel, id)),
    deliver: listeners.deliver,
    subscribe: listeners.subscribe,
    onGap: listeners.onGap,
    ready: connection.ready,
    async close() {
      await publisher.close();
      listeners.clear();
      await connection.close();
    },
  };
}

interface Listening {
  url: string;
  onError: (error: unknown) => void;
  onMessage: (message: string) => void;
  onConnected: (client: pg.Client, hasLostMessages: boolean) => void;
  onLost: () => void;
}

/** Keeps one listening connection open until it is closed. */
function keepListening({ url, onError, onMessage, onConnected, onLost }: Listening) {
  const firstConnection = deferredPromise();
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let failedAttempts = 0;
  let hasLostMessages = false;
  let isClosed = false;

  async function connect(): Promise<void> {
    const attempt = newClient({ url, onError, onMessage, onEnd: () => lost(attempt) });
    client = attempt;
    try {
      await attempt.connect();
      await attempt.query(`listen ${LIVE_CHANNEL}`);
    } catch (error) {
      if (!isClosed) onError(error);
      return lost(attempt);
    }
    if (isClosed || client !== attempt) return;
    failedAttempts = 0;
    firstConnection.resolve();
    onConnected(attempt, hasLostMessages);
    hasLostMessages = false;
  }

  // Called for every kind of connection failure, possibly twice; only the first call counts.
  function lost(former: pg.Client): void {
    if (client !== former) return;
    client = undefined;
    onLost();
    former.end().catch(() => {});
    if (isClosed) return;
    hasLostMessages = true;
    retry = setTimeout(() => void connect(), reconnectDelayMs(failedAttempts++));
  }

  const stopHeartbeat = startHeartbeat(() => client, lost);
  void connect();
  return {
    ready: () => firstConnection.promise,
    async close(): Promise<void> {
      isClosed = true;
      stopHeartbeat();
      clearTimeout(retry);
      firstConnection.reject(closedError());
      await client?.end().catch(() => {});
    },
  };
}

/** Returns a promise whose rejection is never reported as unhandled. */
function deferredPromise(): PromiseWithResolvers<void> {
  const deferred = Promise.withResolvers<void>();
  deferred.promise.catch(() => {});
  return deferred;
}

function newClient(
  options: Pick<Listening, 'url' | 'onError' | 'onMessage'> & { onEnd: () => void },
): pg.Client {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: 'loyalty-live',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  // After an error, pg refuses queries at once but emits `end` only later. Messages that are published in
  // between must wait.
  client.on('error', (error) => {
    options.onError(error);
    options.onEnd();
  });
  client.on('end', options.onEnd);
  client.on('notification', ({ payload }) => options.onMessage(payload ?? ''));
  return client;
}

// A connection to a peer that vanished without closing it is only detected by a request.
function startHeartbeat(current: () => pg.Client | undefined, lost: (client: pg.Client) => void): () => void {
  const timer = setInterval(() => {
    const client = current();
    client?.query('select 1').catch(() => lost(client));
  }, HEARTBEAT_MS).unref();
  return () => clearInterval(timer);
}

/** Sends messages over the current connection, in order; keeps them while there is none, for at most 5 s. */
function createPublisher() {
  const waiting = new Set<Waiting>();
  let client: pg.Client | undefined;
  let sending: Promise<void> | undefined;
  let isClosed = false;

  async function sendAll(): Promise<void> {
    // One change publishes messages about several things; they are sent together.
    await endOfTick();
    while (client && waiting.size > 0) {
      const batch = [...waiting.values().take(BATCH_SIZE)];
      for (const entry of batch) waiting.delete(entry);
      await sendBatch(client, batch);
    }
  }

  function start(): void {
    sending ??= sendAll().finally(() => {
      sending = undefined;
      if (client && waiting.size > 0) start();
    });
  }

  return {
    use(current: pg.Client | undefined): void {
      client = current;
      if (client) start();
      else expireLater(waiting, [...waiting]);
    },
    publish(message: string): Promise<void> {
      if (isClosed) return Promise.reject(closedError());
      return new Promise<void>((resolve, reject) => {
        const entry: Waiting = { message, resolve, reject };
        waiting.add(entry);
        // With a connection, the statement has its own timeout.
        if (client) start();
        else expireLater(waiting, [entry]);
      });
    },
    async close(): Promise<void> {
      isClosed = true;
      await sending;
      for (const { reject } of waiting) reject(closedError());
      waiting.clear();
    },
  };
}

/** Prepared once per connection. */
const NOTIFY = {
  name: 'notify',
  text: `select pg_notify('${LIVE_CHANNEL}', message)
           from unnest($1::text[]) as message, ${ASYNCHRONOUS_COMMIT}`,
};

async function sendBatch(client: pg.Client, batch: readonly Waiting[]): Promise<void> {
  const messages = batch.map(({ message }) => message);
  try {
    await client.query({ ...NOTIFY, values: [messages] });
    for (const { resolve } of batch) resolve();
  } catch (error) {
    // The messages may have been sent; then listeners receive one change twice, which is harmless.
    const failure = new Error('Live events could not be published.', { cause: error });
    for (const { reject } of batch) reject(failure);
  }
}

function expireLater(waiting: Set<Waiting>, entries: readonly Waiting[]): void {
  const expire = () => {
    const failure = new Error('Live events could not be published: PostgreSQL is out of reach.');
    for (const entry of entries) if (waiting.delete(entry)) entry.reject(failure);
  };
  if (entries.length > 0) setTimeout(expire, PUBLISH_TIMEOUT_MS).unref();
}

const closedError = () => new Error('Live events are closed.');
