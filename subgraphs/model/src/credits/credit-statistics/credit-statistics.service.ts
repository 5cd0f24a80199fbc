import type { Context } from '@loyalty/platform/context';
import { dayRange, everyDay } from '@loyalty/platform/values/day-range';
import { type CreditDay, creditsByDay } from './credit-statistics.store.ts';

/**
 * Used credits of some days of the workspace's time zone.
 *
 * @param wanted.from - YYYY-MM-DD, as `to`; both days count
 * @throws AppError VALIDATION_FAILED (400) naming `from` or `to`, PEER_UNAVAILABLE (503)
 */
export async function creditStatistics(
  ctx: Context,
  wanted: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
): Promise<CreditDay[]> {
  const range = await dayRange(ctx, wanted);
  return everyDay(range, await creditsByDay(ctx, range), { used: 0n });
}
