import { addMs } from '@loyalty/platform/base/clock';
import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { getMember } from '../members/members.service.ts';
import { getIssuingPool } from './coupon-pools.service.ts';
import { findReserved, issueHeld, returnHeld, returnOverdue } from './coupon-reservations.store.ts';
import { type Coupon, drawCoupon, publishIssued } from './coupons.service.ts';

const HOLD_SECONDS = 900;
const HOLD_SECONDS_MAX = 86_400;
/** Codes that one statement returns, so that it takes far less than the statement timeout. */
const EXPIRE_BATCH = 1_000;

/** A code that is held until the hold is confirmed, released or overdue. */
export interface CouponReservation {
  readonly id: string;
  readonly coupon: Coupon;
  readonly expiresAt: Date;
}

interface ReserveCoupon {
  readonly poolId: string;
  readonly memberId?: string | null | undefined;
  readonly seconds?: number | null | undefined;
}

/**
 * Holds a code of a pool: nobody else gets it before the hold ends.
 *
 * @param wanted.seconds - 1 to 86,400. Default: 900
 * @throws AppError VALIDATION_FAILED (400), COUPON_POOL_NOT_FOUND, MEMBER_NOT_FOUND (404), POOL_UNAVAILABLE,
 *   POOL_EXHAUSTED, POOL_BUSY (409), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 */
export async function reserveCoupon(ctx: Context, wanted: ReserveCoupon): Promise<CouponReservation> {
  await guardWrite(ctx, 'value');
  const { poolId, memberId = null } = wanted;
  const seconds = wanted.seconds ?? HOLD_SECONDS;
  if (seconds < 1 || seconds > HOLD_SECONDS_MAX) throw invalid('seconds', between(1, HOLD_SECONDS_MAX));
  if (memberId) await getMember(ctx, memberId);
  const pool = await getIssuingPool(ctx, poolId);
  const id = newId(ctx.clock);
  const expiresAt = addMs(ctx.clock.now(), seconds * 1_000);
  const hold = { status: 'HELD', memberId, reservationId: id, heldUntil: expiresAt } as const;
  const coupon = await ctx.transaction((tx) => drawCoupon(tx, pool, hold));
  return { id, coupon, expiresAt };
}

/**
 * Issues the code that a reservation holds, even if its pool was paused since. A repeated call returns the
 * same coupon and publishes nothing.
 *
 * @throws AppError RESERVATION_NOT_FOUND (404) if it is unknown, was released or has expired, COUPON_NOT_HELD
 *   (409) if its code was redeemed already, RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 */
export async function confirmCoupon(ctx: Context, reservationId: string): Promise<Coupon> {
  await guardWrite(ctx, 'value');
  return ctx.transaction(async (tx) => {
    const coupon = await issueHeld(tx, reservationId);
    if (coupon) {
      await publishIssued(tx, coupon);
      return coupon;
    }
    const found = await findReserved(tx, reservationId);
    if (found?.issuedAt) return found;
    if (found?.status === 'REDEEMED')
      throw conflict('COUPON_NOT_HELD', 'The code was redeemed while it was held. Reserve another one.');
    throw notFound('reservation', reservationId);
  });
}

/**
 * Returns the code that a reservation holds to its pool.
 *
 * @throws AppError RESERVATION_NOT_FOUND (404) if it is unknown, was released or has expired, COUPON_NOT_HELD
 *   (409) if it was confirmed, RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 */
export async function releaseCoupon(ctx: Context, reservationId: string): Promise<Coupon> {
  await guardWrite(ctx, 'value');
  return ctx.transaction(async (tx) => {
    const coupon = await returnHeld(tx, reservationId);
    if (coupon) return coupon;
    if (await findReserved(tx, reservationId))
      throw conflict('COUPON_NOT_HELD', 'The reservation was confirmed. Void the coupon to take it back.');
    throw notFound('reservation', reservationId);
  });
}

/**
 * Returns the codes of overdue reservations of all workspaces to their pools. Codes that another transaction
 * has locked are left for the next run, so it never waits, and several workers may run it concurrently.
 *
 * @returns the number of codes
 */
export async function expireCouponReservations(ctx: Context): Promise<number> {
  let total = 0;
  for (;;) {
    const returned = await returnOverdue(ctx, EXPIRE_BATCH);
    total += returned;
    if (returned < EXPIRE_BATCH) return total;
  }
}
