import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { dayRange } from '@loyalty/platform/database/day-range';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import {
  daysOf,
  findLatest,
  type Liability,
  type LiabilityPart,
  type PointsTotals,
  pointsTotalsSince,
  scopesToSum,
  sumLiability,
} from './liability.store.ts';

/** The least age at which sums are computed again for a workspace whose points changed. */
const SUMMED_EVERY_MS = 15 * MINUTE_MS;
/**
 * The age at which sums of any workspace are computed again: members change tiers and are erased, and days
 * end.
 */
const SUMMED_AT_LEAST_EVERY_MS = 6 * HOUR_MS;
const RATE_MS = 365 * DAY_MS;

/** Sums the points of all workspaces whose sums are outdated, one workspace and mode after another. */
export async function sumDueLiabilities(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const due = await scopesToSum(ctx, {
    changedBefore: addMs(now, -SUMMED_EVERY_MS),
    before: addMs(now, -SUMMED_AT_LEAST_EVERY_MS),
  });
  for (const scope of due) await sumPoints(ctx.as(systemCaller('sum-liability', scope)));
}

/** Sums the points of the caller's workspace and mode. @throws AppError PEER_UNAVAILABLE (503) */
export const sumPoints = async (ctx: Context): Promise<void> => sumLiability(ctx, await timeZoneOf(ctx));

/** Returns the last sums of the workspace; null before the first. */
export const latestLiability = (ctx: Context): Promise<Liability | null> => findLatest(ctx);

/** Returns outstanding points that never expire. */
export const neverExpiring = ({ parts }: Liability): bigint =>
  parts.filter(({ month }) => !month).reduce((sum, { outstanding }) => sum + BigInt(outstanding), 0n);

/** Returns outstanding points that expire, by the first day of their month. */
export function byExpiryMonth({ parts }: Liability): { month: string; outstanding: bigint }[] {
  const months = new Map<string, bigint>();
  for (const { month, outstanding } of parts)
    if (month) months.set(month, (months.get(month) ?? 0n) + BigInt(outstanding));
  return [...months]
    .map(([month, outstanding]) => ({ month, outstanding }))
    .sort((one, other) => one.month.localeCompare(other.month));
}

/** Points of the members of one tier. */
export interface TierLiability {
  /** Null for members without a tier. */
  readonly tierId: string | null;
  readonly outstanding: bigint;
  readonly pending: bigint;
}

/** Returns points by tier, the most first. */
export function byTier({ parts }: Liability): TierLiability[] {
  const tiers = new Map<string | null, LiabilityPart[]>();
  for (const part of parts) tiers.set(part.tierId, [...(tiers.get(part.tierId) ?? []), part]);
  return [...tiers]
    .map(([tierId, own]) => ({
      tierId,
      outstanding: own.reduce((sum, { outstanding }) => sum + BigInt(outstanding), 0n),
      pending: own.reduce((sum, { pending }) => sum + BigInt(pending), 0n),
    }))
    .sort((one, other) => Number(other.outstanding - one.outstanding));
}

/** Returns the points spent or expired in 365 days per point issued in them; null if none was issued. */
export async function issuedPointsRate(
  ctx: Context,
  { takenAt }: Liability,
  what: keyof Omit<PointsTotals, 'issued'>,
): Promise<number | null> {
  const totals = await ctx.load(pointsTotalsSince, addMs(takenAt, -RATE_MS).toISOString());
  return totals && totals.issued > 0n ? Number(totals[what]) / Number(totals.issued) : null;
}

/**
 * Returns the points of all members by day of the workspace's time zone.
 *
 * @param wanted.from - YYYY-MM-DD, as `to`; both days count
 * @throws AppError VALIDATION_FAILED (400) naming `from` or `to`, PEER_UNAVAILABLE (503)
 */
export async function liabilityDays(
  ctx: Context,
  wanted: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
): Promise<{ date: string; outstanding: bigint; pending: bigint }[]> {
  const { dates } = await dayRange(ctx, wanted);
  return daysOf(ctx, dates[0]!, dates.at(-1)!);
}
