import { type Clock, systemClock } from '@loyalty/platform/base/clock';

/** The clock of a process that can be set back, so that what is written looks like history. */
export interface MovableClock extends Clock {
  /** The clock stands still at this time until it is set again. */
  set(at: Date): void;
  /** The clock shows the real time again. */
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
