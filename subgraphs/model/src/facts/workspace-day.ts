import { DAY_MS } from '@loyalty/platform/base/clock';
import { offsetsOf } from '@loyalty/platform/base/zoned-days';

/** Returns the day of an instant: days since 1970-01-01 in one time zone. */
export type DayOf = (ms: number) => number;

const QUARTER_MS = 15 * 60_000;
/** Time zones that are cached. */
const ZONES_MAX = 100;
const REMEMBERED_MAX = 50_000;

const ready = new Map<string, DayOf>();

/**
 * Returns the days of a time zone. Computing an offset takes microseconds, so the offset of each day is
 * cached.
 */
export function dayIn(timeZone: string): DayOf {
  const found = ready.get(timeZone);
  if (found) return found;
  if (ready.size >= ZONES_MAX) ready.clear();
  const made = timeZone === 'UTC' ? (ms: number) => Math.floor(ms / DAY_MS) : zonedDay(timeZone);
  ready.set(timeZone, made);
  return made;
}

function zonedDay(timeZone: string): DayOf {
  const offsetAt = offsetsOf(timeZone);
  const remembered = new Map<number, number>();
  const startOf = (ms: number): number => {
    const known = remembered.get(ms);
    if (known !== undefined) return known;
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    const offset = offsetAt(ms);
    remembered.set(ms, offset);
    return offset;
  };
  return (ms) => {
    const start = Math.floor(ms / DAY_MS) * DAY_MS;
    const offset = startOf(start);
    // Clocks change at whole quarters of an hour; a day with the same offset at both ends has one offset.
    const isPlain = startOf(start + DAY_MS) === offset;
    const exact = isPlain ? offset : startOf(Math.floor(ms / QUARTER_MS) * QUARTER_MS);
    return Math.floor((ms + exact) / DAY_MS);
  };
}
