import type { Context } from '@loyalty/platform/context';
import { dayRange, everyDay } from '@loyalty/platform/values/day-range';
import { type CallDay, callsByDay } from './call-statistics.store.ts';

/**
 * Calls of some days of the workspace's time zone.
 *
 * @param wanted.from - YYYY-MM-DD, as `to`; both days count
 * @throws AppError VALIDATION_FAILED (400) naming `from` or `to`
 */
export async function callStatistics(
  ctx: Context,
  wanted: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
): Promise<CallDay[]> {
  const range = await dayRange(ctx, wanted);
  return everyDay(range, await callsByDay(ctx, range), { calls: 0, refused: 0, failed: 0 });
}
