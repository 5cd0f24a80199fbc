import type { Live, LiveOptions } from './live.ts';

/** The subscribers of this process, shared by all carriers. */
export interface Listeners extends Pick<Live, 'subscribe' | 'onGap'> {
  deliver(channel: string, id: string): void;
  /** Delivers a message of `encode`; ignores any other text. */
  deliverEncoded(message: string): void;
  gap(): void;
  clear(): void;
}

/** Creates the table of subscribers. A listener that throws does not prevent the delivery to the others. */
export function createListeners({ onError = () => {} }: LiveOptions): Listeners {
  const byChannel = new Map<string, Set<(id: string) => void>>();
  const gapListeners = new Set<() => void>();

  function callAll<T extends unknown[]>(listeners: Iterable<(...args: T) => void>, ...args: T): void {
    // A copy, because listeners may unsubscribe during the loop.
    for (const listener of [...listeners]) {
      try {
        listener(...args);
      } catch (error) {
        onError(error);
      }
    }
  }

  function deliver(channel: string, id: string): void {
    const listeners = byChannel.get(channel);
    if (listeners) callAll(listeners, id);
  }

  return {
    deliver,
    deliverEncoded(message) {
      const decoded = decode(message);
      if (decoded) deliver(...decoded);
      else onError(new Error('A live event of an unknown form arrived.'));
    },
    gap: () => callAll(gapListeners),
    subscribe: (channel, listener) => addTo(byChannel, channel, listener),
    onGap(listener) {
      const added = () => listener();
      gapListeners.add(added);
      return () => void gapListeners.delete(added);
    },
    clear() {
      byChannel.clear();
      gapListeners.clear();
    },
  };
}

function addTo(
  byChannel: Map<string, Set<(id: string) => void>>,
  channel: string,
  listener: (id: string) => void,
): () => void {
  // Wrapped, so that subscribing the same function twice makes two subscriptions.
  const added = (id: string) => listener(id);
  const listeners = byChannel.get(channel) ?? new Set();
  byChannel.set(channel, listeners.add(added));
  return () => {
    listeners.delete(added);
    if (listeners.size === 0 && byChannel.get(channel) === listeners) byChannel.delete(channel);
  };
}

/** The transport channel of all carriers. There is only one, so that subscribing needs no remote call. */
export const LIVE_CHANNEL = 'loyalty_live';

/** Encodes a message for transport. @throws RangeError like `publish` */
export function encode(channel: string, id: string): string {
  assertCarriable(channel, id);
  return JSON.stringify([channel, id]);
}

function decode(message: string): [channel: string, id: string] | null {
  try {
    const value: unknown = JSON.parse(message);
    if (!Array.isArray(value) || value.length !== 2) return null;
    const [channel, id] = value as unknown[];
    return typeof channel === 'string' && typeof id === 'string' ? [channel, id] : null;
  } catch {
    return null;
  }
}

const carriable = /^[\w.:/-]{1,200}$/;

/** @throws RangeError unless both consist of 1 to 200 allowed characters */
export function assertCarriable(channel: string, id: string): void {
  if (!carriable.test(channel)) throw new RangeError('A live channel has 1 to 200 letters, digits or _.:/-');
  if (!carriable.test(id))
    throw new RangeError('A live event carries an id of 1 to 200 letters, digits or _.:/-');
}

/** Returns the delay before the next attempt to connect: 50 to 5,000 ms, doubled each time, with jitter. */
export function reconnectDelayMs(failedAttempts: number): number {
  const ceiling = Math.min(5_000, 100 * 2 ** Math.min(failedAttempts, 10));
  return Math.round(ceiling / 2 + (Math.random() * ceiling) / 2);
}
