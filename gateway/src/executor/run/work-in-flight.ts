/** Work for which several clients wait. */
export interface WorkInFlight<T> {
  /** @param signal - aborts when the client has gone */
  waitFor(signal: AbortSignal | undefined): Promise<T>;
}

/**
 * Starts work that is cancelled when the last client that waits for it has gone.
 *
 * @param run - never fails before its first await
 * @param onCancelled - nobody may wait for it from then on
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
