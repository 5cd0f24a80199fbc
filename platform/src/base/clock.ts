/** The current time as a dependency, so that tests can use a fixed clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock for tests that only moves when its methods are called. */
export function fixedClock(
  start: string | Date,
): Clock & { advance(ms: number): void; set(at: string | Date): void } {
  let now = new Date(start);
  return {
    now: () => new Date(now),
    advance: (ms) => {
      now = new Date(now.getTime() + ms);
    },
    set: (at) => {
      now = new Date(at);
    },
  };
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const addMs = (date: Date, ms: number): Date => new Date(date.getTime() + ms);
