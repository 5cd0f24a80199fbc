import { DAY_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { offsetsOf } from '@loyalty/platform/base/zoned-days';
import { LRUCache } from 'lru-cache';

/** The time of day in which nothing is sent. HH:MM; the end may be on the next day. */
export interface QuietHours {
  readonly from: string;
  readonly until: string;
}

const offsets = new LRUCache<string, (ms: number) => number>({ max: 500 });

function offsetAt(timeZone: string): (ms: number) => number {
  const known = offsets.get(timeZone) ?? offsetsOf(timeZone);
  offsets.set(timeZone, known);
  return known;
}

/**
 * Returns the end of the quiet hours that contain an instant, or null if none do. If clocks skip the end, it
 * is later by the skipped time. If clocks show the end twice, the second one counts.
 */
export function quietEnd(now: Date, timeZone: string, { from, until }: QuietHours): Date | null {
  const offset = offsetAt(timeZone);
  const local = now.getTime() + offset(now.getTime());
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  const minute = local - midnight;
  const [begin, end] = [msOf(from), msOf(until)];
  const isQuiet = begin < end ? minute >= begin && minute < end : minute >= begin || minute < end;
  if (!isQuiet) return null;
  const wallEnd = midnight + end + (minute < end ? 0 : DAY_MS);
  return new Date(Math.max(instantOf(wallEnd, offset), now.getTime() + MINUTE_MS));
}

/** Returns the instant at which clocks show a time; the later one if they show it twice. */
function instantOf(wall: number, offset: (ms: number) => number): number {
  // The offsets before and after a possible change of clocks.
  const guesses = [offset(wall - DAY_MS), offset(wall + DAY_MS)].map((ahead) => wall - ahead);
  const exact = guesses.filter((instant) => instant + offset(instant) === wall);
  return Math.max(...(exact.length > 0 ? exact : guesses));
}

function msOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}
