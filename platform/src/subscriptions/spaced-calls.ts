/** A function whose calls are requested and run at a minimum interval. */
export interface SpacedCalls {
  /** Requests a call. @param isUrgent - skips the interval; the call only waits for a running one */
  want(isUrgent: boolean): void;
  /** Stops all further calls. */
  end(): void;
}

/**
 * Runs requested calls of a function: never two at the same time, and at least `everyMs` after the start of
 * the last call. Several requests until then result in one call.
 *
 * @param call - must not reject
 */
export function spacedCalls(everyMs: number, call: () => Promise<void>): SpacedCalls {
  let calledAt = Number.NEGATIVE_INFINITY;
  let wanted: 'soon' | 'at once' | null = null;
  let isCalling = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  function plan(): void {
    clearTimeout(timer);
    if (!wanted || isCalling || isOver) return;
    const waitMs = wanted === 'soon' ? calledAt + everyMs - performance.now() : 0;
    timer = setTimeout(() => void run(), Math.max(0, waitMs));
  }

  async function run(): Promise<void> {
    wanted = null;
    isCalling = true;
    calledAt = performance.now();
    await call();
    isCalling = false;
    plan();
  }

  return {
    want(isUrgent) {
      if (wanted !== 'at once') wanted = isUrgent ? 'at once' : 'soon';
      plan();
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
