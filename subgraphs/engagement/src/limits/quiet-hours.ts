import { DAY_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { instantOf, offsetsOf } from '@loyalty/platform/base/zoned-days';

/** The time of day in which nothing is sent. HH:MM; the end may be on the next day. */
export interface QuietHours {
  readonly from: string;
  readonly until: string;
}

/**
 * Returns the end of the quiet hours that contain an instant, or null if none do. If clocks skip the end, it
 * is later by the skipped time. If clocks show the end twice, the second one counts.
 */
export function quietEnd(now: Date, timeZone: string, { from, until }: QuietHours): Date | null {
  const offset = offsetsOf(timeZone);
  const local = now.getTime() + offset(now.getTime());
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  const minute = local - midnight;
  const [begin, end] = [msOf(from), msOf(until)];
  const isQuiet = begin < end ? minute >= begin && minute < end : minute >= begin || minute < end;
  if (!isQuiet) return null;
  const wallEnd = midnight + end + (minute < end ? 0 : DAY_MS);
  return new Date(Math.max(instantOf(wallEnd, offset, 'last'), now.getTime() + MINUTE_MS));
}

function msOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}
