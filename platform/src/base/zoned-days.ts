import { DAY_MS } from './clock.ts';

/** Maximum of cached formats. There are fewer time zones, but their names may be written in any case. */
const ZONES_MAX = 1_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a function from an instant to the UTC offset of a time zone, both in ms. */
export function offsetsOf(timeZone: string): (ms: number) => number {
  const format = formatOf(timeZone);
  return (ms) => offsetMs(format.format(ms));
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  if (formats.size >= ZONES_MAX) formats.clear();
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  return format;
}

/** Converts `3/2/2026, GMT+05:45` to 20,700,000. */
function offsetMs(formatted: string): number {
  const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(formatted) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0);
  return (sign === '-' ? -size : size) * 1_000;
}

/**
 * Returns the instant at which the clocks of a time zone show a local time. If clocks skip the time, the
 * instant is later by the skipped time.
 *
 * @param local - the local time as if it were UTC, in ms since 1970
 * @param offsetAt - the offsets of the time zone, by `offsetsOf`
 * @param occurrence - which instant counts if clocks show the time twice
 * @returns ms since 1970
 */
export function instantOf(
  local: number,
  offsetAt: (ms: number) => number,
  occurrence: 'first' | 'last' = 'first',
): number {
  // The offsets before and after a possible change of clocks.
  const guesses = [local - offsetAt(local - DAY_MS), local - offsetAt(local + DAY_MS)];
  const exact = guesses.filter((ms) => ms + offsetAt(ms) === local);
  if (exact.length === 0) return Math.max(...guesses);
  return occurrence === 'first' ? Math.min(...exact) : Math.max(...exact);
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
