import type { Context } from '@loyalty/platform/context';
import { dayRange, everyDay } from '@loyalty/platform/database/day-range';
import { countsByDay, countsByEvent, type DayCount, type EventCount } from './tracking-statistics.store.ts';

export interface TrackingStatistics {
  readonly events: readonly EventCount[];
  readonly series: readonly DayCount[];
}

/**
 * Counts events of a range of days of the workspace's time zone.
 *
 * @param wanted.from - YYYY-MM-DD, as `to`; both are inclusive
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
  const range = await dayRange(ctx, wanted);
  const filter = { from: range.from, to: range.to, event: wanted.event ?? null };
  const [events, byDay] = await Promise.all([
    countsByEvent(ctx, filter),
    countsByDay(ctx, filter, range.timeZone),
  ]);
  return { events, series: everyDay(range, byDay, { count: 0 }) };
}
