import { DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { invalid } from '@loyalty/platform/errors';
import { timeZoneOf } from '@loyalty/platform/values/time-zone';
import { dayStartsIn, offsetsOf } from '@loyalty/platform/values/zoned-days';
import { countsByDay, countsByEvent, type EventCount } from './tracking-statistics.store.ts';

export interface TrackingStatistics {
  readonly events: readonly EventCount[];
  readonly series: readonly { readonly date: string; readonly count: number }[];
}

const DAYS_MAX = 400;
const DAYS_DEFAULT = 30;

/**
 * Counts of events that happened on some days of the workspace's time zone.
 *
 * @param wanted.from - YYYY-MM-DD, as `to`; both days count
 * @throws AppError VALIDATION_FAILED (400) naming `from` or `to`, PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Tracking", GET /tracking/stats; requirement L-TRK-01
 */
export async function trackingStatistics(
  ctx: Context,
  wanted: {
    readonly from?: string | null | undefined;
    readonly to?: string | null | undefined;
    readonly event?: string | null | undefined;
  },
): Promise<TrackingStatistics> {
  const timeZone = await timeZoneOf(ctx);
  const now = ctx.clock.now().getTime();
  const today = now + offsetsOf(timeZone)(now);
  const last = wanted.to ? Date.parse(wanted.to) : today - (today % DAY_MS);
  const first = wanted.from ? Date.parse(wanted.from) : last - (DAYS_DEFAULT - 1) * DAY_MS;
  if (first > last) throw invalid('from', 'must not be after to');
  const days = Math.round((last - first) / DAY_MS) + 1;
  if (days > DAYS_MAX) throw invalid('to', `must be at most ${DAYS_MAX - 1} days after from`);
  const startOf = dayStartsIn(timeZone);
  const period = { from: new Date(startOf(first)), to: new Date(startOf(last + DAY_MS)) };
  const filter = { ...period, event: wanted.event ?? null };
  const [events, byDay] = await Promise.all([countsByEvent(ctx, filter), countsByDay(ctx, filter, timeZone)]);
  const series = Array.from({ length: days }, (_, day) => {
    const date = new Date(first + day * DAY_MS).toISOString().slice(0, 10);
    return { date, count: byDay.get(date) ?? 0 };
  });
  return { events, series };
}
