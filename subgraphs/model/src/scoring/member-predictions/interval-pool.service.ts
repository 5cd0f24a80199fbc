import type { Context } from '@loyalty/platform/context';
import { keepFit } from '../workspace-fits/fits.service.ts';
import { withLongTimeout } from '../workspace-fits/member-blocks.service.ts';
import { type IntervalMoments, intervalMoments } from './interval-pool.store.ts';
import type { IntervalPool } from './next-order.ts';

const MEMBERS_MIN = 30;
/** So that no member gets just the workspace's mean, and no forecast is of one day alone. */
const VARIANCE_MIN = 0.01;

/**
 * Fits how the purchase intervals of the workspace's members are spread; nothing where fewer than 30 members
 * have two intervals.
 *
 * @remarks Source: requirements L-PRO-01, L-PRO-02
 */
export async function refitIntervals(ctx: Context): Promise<void> {
  await keepFit(ctx, 'INTERVALS', poolOf(await withLongTimeout(ctx, intervalMoments)));
}

function poolOf({ members, mean, ...moments }: IntervalMoments): IntervalPool | null {
  if (members < MEMBERS_MIN) return null;
  const varianceWithin = Math.max(VARIANCE_MIN, moments.varianceWithin!);
  // Means of few intervals differ by chance alone; that part is not between the members.
  const between = moments.varianceOfMeans! - moments.varianceWithin! * moments.meanOfInverseCounts!;
  return { members, mean: mean!, varianceWithin, varianceBetween: Math.max(VARIANCE_MIN, between) };
}
