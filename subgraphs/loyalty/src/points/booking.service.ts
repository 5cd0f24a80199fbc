import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import { moves } from '../member-status/member-status.moves.ts';
import { lockMembersForUpdate, OPEN_STATUSES } from '../members/members.service.ts';
import { append } from './append-entry.service.ts';
import { cancelPending } from './point-lots.service.ts';
import { pointsAwarded, pointsRedeemed, pointsReversed } from './points.events.ts';
import { findReversible, isBooked as findsSource, type PointsTransaction } from './points.store.ts';

/** Points that are booked for an order, a receipt, a refund or a coupon. */
interface Booking {
  readonly memberId: string;
  /** At least 1. */
  readonly points: number;
  readonly description: string;
  /** The reason of the points, such as `order:<id>`; each source is booked once. */
  readonly source: string;
  /** For a reversal: the source of the reversed earning, if it is known. */
  readonly of?: string | null;
}

/** Returns whether the source is booked. A reversal waits until its earning is booked. */
export const isBooked = (ctx: Context, source: string): Promise<boolean> => findsSource(ctx, source);

/**
 * Books points that an order or a receipt earned; this is an activity of the member. If the programme has a
 * pending period, the entry is pending.
 *
 * @returns null if the source is booked already
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_CLOSED, BALANCE_LIMIT (409)
 */
export async function bookEarning(ctx: Context, booking: Booking): Promise<PointsTransaction | null> {
  const { memberId, points: amount, description, source } = booking;
  return ctx.transaction(async (tx) => {
    await lockMembersForUpdate(tx, [memberId]);
    if (await isBooked(tx, source)) return null;
    const change = { kind: 'EARNING', memberId, amount, description, source, earned: amount } as const;
    const entry = await append(tx, {
      ...change,
      allowedStatuses: OPEN_STATUSES,
      activates: moves.BE_ACTIVE.from,
    });
    if (!entry.availableAt) await publish(tx, pointsAwarded, { memberId, transactionId: entry.id, amount });
    return entry;
  });
}

/**
 * Takes back earned points: first pending points, of the named earning or the newest, then as many as the
 * member still has. From a named earning it never takes more than was earned, and no expired points.
 *
 * @returns null if the source is booked already, or nothing of the earning is left
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_CLOSED (409)
 */
export async function bookReversal(ctx: Context, booking: Booking): Promise<PointsTransaction | null> {
  const { memberId, points, description, source, of } = booking;
  return ctx.transaction(async (tx) => {
    await lockMembersForUpdate(tx, [memberId]);
    if (await isBooked(tx, source)) return null;
    const cancelled = await cancelPending(tx, points, { memberId, source: of ?? null });
    const reverses = of ? await findReversible(tx, { source: of }) : null;
    const earned = of ? Math.min(points - cancelled, reverses?.remaining ?? 0) : points - cancelled;
    if (cancelled + earned === 0) return null;
    const amount = -Math.min(earned, reverses?.unexpired ?? earned);
    const change = { kind: 'REVERSAL', memberId, amount, description, source, reverses } as const;
    const entry = await append(
      tx,
      { ...change, earned: -earned, allowedStatuses: OPEN_STATUSES, activates: [] },
      reverses?.id,
    );
    await publish(tx, pointsReversed, { memberId, transactionId: entry.id, amount: entry.amount });
    return entry;
  });
}

/**
 * Spends points in the transaction of the purchase.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_CLOSED, INSUFFICIENT_POINTS (409)
 */
export async function spendPoints(tx: Context, booking: Booking): Promise<PointsTransaction> {
  const { memberId, points, description, source } = booking;
  const change = { kind: 'REDEMPTION', memberId, amount: -points, description, source, earned: 0 } as const;
  const entry = await append(tx, {
    ...change,
    allowedStatuses: OPEN_STATUSES,
    activates: moves.BE_ACTIVE.from,
  });
  await publish(tx, pointsRedeemed, { memberId, transactionId: entry.id, amount: entry.amount });
  return entry;
}
