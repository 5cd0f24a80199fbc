/** Calls back everybody who listens. */
interface Broadcast<Value> {
  /** @returns what ends listening */
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

/** What is shown may be old and is read again: the socket was away, or somebody else changed it. */
export const outdated = createSignal();
