import { assertCarriable, createListeners } from './listeners.ts';
import type { Live, LiveOptions } from './live.ts';

/** Carries messages within this process only. */
export function createMemoryLive(options: LiveOptions = {}): Live {
  const listeners = createListeners(options);
  let isClosed = false;
  return {
    async publish(channel, id) {
      assertCarriable(channel, id);
      if (isClosed) throw new Error('Live events are closed.');
      // Deferred, as with the other carriers: a listener never runs inside the publisher's call.
      setImmediate(() => listeners.deliver(channel, id));
    },
    deliver: listeners.deliver,
    subscribe: listeners.subscribe,
    onGap: listeners.onGap,
    ready: async () => {},
    async close() {
      isClosed = true;
      listeners.clear();
    },
  };
}
