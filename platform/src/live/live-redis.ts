import { Redis } from 'ioredis';
import { createListeners, encode, LIVE_CHANNEL, reconnectDelayMs } from './listeners.ts';
import type { Live, LiveOptions } from './live.ts';

const HEARTBEAT_MS = 15_000;

/**
 * Carries messages between processes by Redis publish and subscribe, on two separate connections (a
 * subscribed one cannot be used otherwise). They are opened again whenever they are lost.
 *
 * @param options.url - a Redis URL, `rediss://` for TLS
 */
export function createRedisLive(options: LiveOptions & { url: string }): Live {
  const { url, onError = () => {} } = options;
  const listeners = createListeners(options);
  const publisher = connect(url, { connectionName: 'loyalty-live-publish' }, onError);
  const subscription = keepSubscribed({
    url,
    onError,
    onMessage: listeners.deliverEncoded,
    onGap: listeners.gap,
  });
  let isClosed = false;
  return {
    async publish(channel, id) {
      const message = encode(channel, id);
      if (isClosed) throw closedError();
      await publisher.publish(LIVE_CHANNEL, message);
    },
    deliver: listeners.deliver,
    subscribe: listeners.subscribe,
    onGap: listeners.onGap,
    ready: subscription.ready,
    async close() {
      if (isClosed) return;
      isClosed = true;
      listeners.clear();
      subscription.close();
      // Earlier messages are still sent if there is a connection.
      if (publisher.status === 'ready') await publisher.quit().catch(() => {});
      publisher.disconnect();
    },
  };
}

interface Subscribing {
  url: string;
  onError: (error: unknown) => void;
  onMessage: (message: string) => void;
  onGap: () => void;
}

/** Keeps one subscribed connection open until it is closed. */
function keepSubscribed({ url, onError, onMessage, onGap }: Subscribing) {
  const firstSubscription = Promise.withResolvers<void>();
  // The rejection must not be reported as unhandled.
  firstSubscription.promise.catch(() => {});
  let hasLostMessages = false;
  let isClosed = false;
  // Resubscribing is done here, so that it is known when messages arrive again.
  const redis = connect(url, { connectionName: 'loyalty-live-subscribe', autoResubscribe: false }, onError);

  async function subscribe(): Promise<void> {
    try {
      await redis.subscribe(LIVE_CHANNEL);
    } catch (error) {
      if (isClosed) return;
      onError(error);
      // Without its subscription the connection is useless, so a new one is opened.
      redis.disconnect(true);
      return;
    }
    firstSubscription.resolve();
    if (hasLostMessages) onGap();
    hasLostMessages = false;
  }

  redis.on('ready', () => void subscribe());
  redis.on('close', () => {
    hasLostMessages = true;
  });
  redis.on('message', (_channel: string, message: string) => onMessage(message));
  // A connection to a peer that vanished without closing it is only detected by a request.
  const heartbeat = setInterval(() => {
    if (redis.status === 'ready') redis.ping().catch(() => redis.disconnect(true));
  }, HEARTBEAT_MS).unref();

  return {
    ready: () => firstSubscription.promise,
    close(): void {
      isClosed = true;
      clearInterval(heartbeat);
      firstSubscription.reject(closedError());
      redis.disconnect();
    },
  };
}

interface ConnectionOptions {
  connectionName: string;
  autoResubscribe?: boolean;
}

function connect(url: string, options: ConnectionOptions, onError: (error: unknown) => void): Redis {
  const redis = new Redis(url, {
    retryStrategy: (failed) => reconnectDelayMs(failed),
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    ...options,
  });
  return redis.on('error', onError);
}

const closedError = () => new Error('Live events are closed.');
