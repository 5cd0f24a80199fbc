import { type Clock, systemClock } from '@loyalty/platform/base/clock';

/** A clock that can be set to an earlier time, so that written data looks like history. */
export interface MovableClock extends Clock {
  /** Sets the clock to this time. It stands still until it is set again or released. */
  set(at: Date): void;
  /** Lets the clock show the real time again. */
  release(): void;
}

export function movableClock(): MovableClock {
  let moved: Date | null = null;
  return {
    now: () => (moved ? new Date(moved) : systemClock.now()),
    set: (at) => {
      moved = at;
    },
    release: () => {
      moved = null;
    },
  };
}
