import { Redis } from 'ioredis';
import { createListeners, encode, LIVE_CHANNEL, reconnectDelayMs } from './listeners.ts';
import type { Live, LiveOptions } from './live.ts';

const HEARTBEAT_MS = 15_000;

/**
 * Carries messages between processes by Redis publish and subscribe, on two connections of its own (a
 * subscribed one cannot do anything else) that are made anew whenever they are lost.
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
      // What was published before still goes out, if there is a connection.
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

/** Keeps one subscribed connection, until closed. */
function keepSubscribed({ url, onError, onMessage, onGap }: Subscribing) {
  const firstSubscription = Promise.withResolvers<void>();
  // Nobody may be waiting for it.
  firstSubscription.promise.catch(() => {});
  let hasLostMessages = false;
  let isClosed = false;
  // Subscribing again is done here, so that it is known when messages arrive again.
  const redis = connect(url, { connectionName: 'loyalty-live-subscribe', autoResubscribe: false }, onError);

  async function subscribe(): Promise<void> {
    try {
      await redis.subscribe(LIVE_CHANNEL);
    } catch (error) {
      if (isClosed) return;
      onError(error);
      // Without its subscription the connection is of no use: make a new one.
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
  // A peer that vanished without closing the connection is only noticed by a request.
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
