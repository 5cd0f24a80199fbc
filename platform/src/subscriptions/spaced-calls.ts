/** Calls of one function, when they are wanted. */
export interface SpacedCalls {
  /** @param isUrgent - it waits only for the call that runs, not for the interval */
  want(isUrgent: boolean): void;
  /** Nothing is called from here on. */
  end(): void;
}

/**
 * Calls a function when it is wanted: never twice at once, and not before `everyMs` have passed since its
 * last call began. What is wanted several times until then is one call.
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
