import { DAY_MS } from './clock.ts';

/** Returns a function from an instant to the UTC offset of a time zone, both in ms. */
export function offsetsOf(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (ms) => offsetMs(format.format(ms));
}

/** Converts `3/2/2026, GMT+05:45` to 20,700,000. */
function offsetMs(formatted: string): number {
  const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(formatted) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0);
  return (sign === '-' ? -size : size) * 1_000;
}

/** Maximum of cached day starts per time zone. A file repeats the same days many times. */
const REMEMBERED_MAX = 20_000;

/**
 * Returns the first instant of a day in a time zone. If clocks go forward at midnight, the day begins at
 * 01:00; if midnight occurs twice, the day begins with the first.
 *
 * @returns a function from midnight UTC of a day to that instant, both in ms since 1970
 */
export function dayStartsIn(timeZone: string): (utcMidnight: number) => number {
  if (timeZone === 'UTC') return (utcMidnight) => utcMidnight;
  const offsetAt = offsetsOf(timeZone);
  const remembered = new Map<number, number>();
  return (utcMidnight) => {
    const known = remembered.get(utcMidnight);
    if (known !== undefined) return known;
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    const start = startOf(utcMidnight, offsetAt);
    remembered.set(utcMidnight, start);
    return start;
  };
}

function startOf(utcMidnight: number, offsetAt: (ms: number) => number): number {
  // The offsets before and after any clock change at the start of the day.
  const [before, after] = [offsetAt(utcMidnight - DAY_MS), offsetAt(utcMidnight + DAY_MS)];
  const isOfDay = (ms: number) => {
    const local = ms + offsetAt(ms);
    return local >= utcMidnight && local < utcMidnight + DAY_MS;
  };
  const starts = [utcMidnight - before, utcMidnight - after].filter(isOfDay);
  // A day that a time zone skipped begins where the next day begins.
  return starts.length > 0 ? Math.min(...starts) : utcMidnight - before;
}
