import { DAY_MS, HOUR_MS, MINUTE_MS } from '@loyalty/platform/clock';
import { offsetsOf } from '@loyalty/platform/values/zoned-days';
import { LRUCache } from 'lru-cache';
import type { DelayUntilNode, JourneyDuration } from './journey-definition.ts';

export const durationMs = ({ days = 0, hours = 0, minutes = 0 }: JourneyDuration): number =>
  days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS;

const offsets = new LRUCache<string, (ms: number) => number>({ max: 500 });

function offsetIn(timeZone: string): (ms: number) => number {
  const known = offsets.get(timeZone) ?? offsetsOf(timeZone);
  offsets.set(timeZone, known);
  return known;
}

/**
 * The next time, later than `now`, at which the clocks of a time zone show the time of a node on one of its
 * days. A time that clocks skip comes as much later as they skip; of one that they show twice the first
 * counts.
 */
export function nextTimeOf({ time, weekdays }: DelayUntilNode, timeZone: string, now: Date): Date {
  const offset = offsetIn(timeZone);
  const [hours, minutes] = time.split(':');
  const minute = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  const today = Math.floor((now.getTime() + offset(now.getTime())) / DAY_MS) * DAY_MS;
  // One day more than a week: the time of today may be over.
  for (let midnight = today; midnight <= today + 8 * DAY_MS; midnight += DAY_MS) {
    if (weekdays && !weekdays.includes(weekdayOf(midnight))) continue;
    const instant = instantOf(midnight + minute, offset);
    if (instant > now.getTime()) return new Date(instant);
  }
  throw new RangeError(`No time ${time} follows.`);
}

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (utcMidnight: number): number => new Date(utcMidnight).getUTCDay() || 7;

function instantOf(wall: number, offset: (ms: number) => number): number {
  // The offsets that hold before and after whatever change there may be.
  const guesses = [offset(wall - DAY_MS), offset(wall + DAY_MS)].map((ahead) => wall - ahead);
  const exact = guesses.filter((instant) => instant + offset(instant) === wall);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...guesses);
}
