import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { conflict, invalid } from '@loyalty/platform/base/errors';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import {
  type ExpiringPoints,
  expiringByKey,
  expiringKey,
  insertPending,
  type PendingFilter,
  pendingByMember,
  pendingEntry,
  takeFromLots,
  takeFromPending,
} from './point-lots.store.ts';
import type { NewEntry, PointsTransaction } from './points.store.ts';

const WITHIN_DAYS_MAX = 366;

/**
 * Stores a pending entry of a locked member; the later booked entry has the same id.
 *
 * @throws AppError ALREADY_BOOKED (409) if the source is pending already
 */
export async function storePending(tx: Context, entry: NewEntry, days: number): Promise<PointsTransaction> {
  const pending = await insertPending(tx, entry, addMs(tx.clock.now(), days * DAY_MS));
  if (pending) return pending;
  throw conflict('ALREADY_BOOKED', 'These points are booked already. Read the ledger again.');
}

/** Takes points that a locked member spends or loses out of the lots, those that expire soonest first. */
export const spendLots = (tx: Context, memberId: string, points: number, lotId?: string): Promise<void> =>
  takeFromLots(tx, memberId, points, lotId ?? null);

/**
 * Takes back pending points; they are never booked.
 *
 * @returns the number of points
 */
export const cancelPending = (tx: Context, points: number, filter: PendingFilter): Promise<number> =>
  takeFromPending(tx, points, filter);

/** Returns a pending entry; null if there is none with this id. */
export const findPending = (
  ctx: Context,
  id: string,
): Promise<{ memberId: string; remaining: number } | null> => pendingEntry(ctx, id);

/** Returns a member's pending points. */
export const getPendingPoints = async (ctx: Context, memberId: string): Promise<number> =>
  (await ctx.load(pendingByMember, memberId)) ?? 0;

/**
 * Returns the points of a member that expire within some days, summed by UTC day, soonest first.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export async function listExpiringPoints(
  ctx: Context,
  memberId: string,
  withinDays: number,
): Promise<ExpiringPoints[]> {
  if (withinDays < 1 || withinDays > WITHIN_DAYS_MAX)
    throw invalid('withinDays', between(1, WITHIN_DAYS_MAX));
  const before = addMs(ctx.clock.now(), withinDays * DAY_MS);
  return (await ctx.load(expiringByKey, expiringKey(memberId, before))) ?? [];
}
