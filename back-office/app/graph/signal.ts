/** A signal with listeners. */
interface Broadcast<Value> {
  /** @returns a function that removes the listener */
  readonly listen: (listener: (value: Value) => void) => () => void;
  readonly send: (value: Value) => void;
}

export function createSignal<Value = void>(): Broadcast<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send(value) {
      for (const listener of listeners) listener(value);
    },
  };
}

/**
 * Sent when shown data may be stale and must be read again: the socket was closed, or somebody else changed
 * the data.
 */
export const outdated = createSignal();
