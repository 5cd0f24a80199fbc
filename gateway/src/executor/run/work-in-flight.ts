/** Work whose result several clients wait for. */
export interface WorkInFlight<T> {
  /** @param signal - aborts when the client disconnects */
  waitFor(signal: AbortSignal | undefined): Promise<T>;
}

/**
 * Starts work that is cancelled when the last waiting client disconnects.
 *
 * @param run - never fails before its first await
 * @param onCancelled - called on cancellation; no further client may wait for it
 */
export function startWork<T>(
  run: (signal: AbortSignal) => Promise<T>,
  onCancelled: () => void,
): WorkInFlight<T> {
  const controller = new AbortController();
  const result = run(controller.signal);
  let waiting = 0;
  const leave = () => {
    waiting -= 1;
    if (waiting > 0) return;
    onCancelled();
    controller.abort();
  };
  return {
    async waitFor(signal) {
      waiting += 1;
      if (signal?.aborted) leave();
      signal?.addEventListener('abort', leave, { once: true });
      try {
        return await result;
      } finally {
        signal?.removeEventListener('abort', leave);
      }
    },
  };
}
