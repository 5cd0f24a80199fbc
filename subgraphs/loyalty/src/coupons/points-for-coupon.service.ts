import { conflict, invalid } from '@loyalty/platform/base/errors';
import { atLeast } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { guardValue, guardWrite } from '@loyalty/platform/identity/write-guard';
import { getMember } from '../members/members.service.ts';
import { spendPoints } from '../points/booking.service.ts';
import { getIssuingPool } from './coupon-pools.service.ts';
import { type Coupon, drawCoupon, publishIssued } from './coupons.service.ts';

/** A coupon that was paid with points. */
export interface PointsForCoupon {
  /** Points that were debited. */
  readonly pointsDeducted: number;
  /** Balance after the debit, in points. */
  readonly newBalance: number;
  readonly coupon: Coupon;
}

/**
 * Exchanges points of a member for a code of a pool, both or neither: one transaction books the points and
 * takes the code.
 *
 * @param pointsCost - points, 1 to the workspace's cap per call
 * @throws AppError AMOUNT_OVER_CAP, VALIDATION_FAILED (400), MEMBER_NOT_FOUND, COUPON_POOL_NOT_FOUND (404),
 *   INSUFFICIENT_POINTS, MEMBER_CLOSED, POOL_UNAVAILABLE, POOL_EXHAUSTED, POOL_BUSY (409), RATE_LIMITED
 *   (429), GUARD_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Members", POST /members/{id}/redeem-coupon; requirements L-PTS-12
 *   to 15
 */
export async function redeemPointsForCoupon(
  ctx: Context,
  memberId: string,
  poolId: string,
  pointsCost: number,
): Promise<PointsForCoupon> {
  await guardWrite(ctx, 'value');
  guardValue(ctx, 'pointsCost', pointsCost);
  if (pointsCost < 1) throw invalid('pointsCost', atLeast(1));
  const member = await getMember(ctx, memberId);
  const pool = await getIssuingPool(ctx, poolId);
  // The booking itself decides; this check avoids taking a code that would be returned at once.
  if (member.status !== 'DEACTIVATION_PENDING' && member.pointsBalance < pointsCost)
    throw conflict('INSUFFICIENT_POINTS', 'The member has fewer points than the coupon costs. Ask for less.');
  return ctx.transaction(async (tx) => {
    const coupon = await drawCoupon(tx, pool, { status: 'ISSUED', memberId });
    const source = `coupon:${coupon.id}`;
    const description = `Coupon: ${pool.name}`;
    const entry = await spendPoints(tx, { memberId, points: pointsCost, description, source });
    await publishIssued(tx, coupon);
    return { pointsDeducted: pointsCost, newBalance: entry.balanceAfter, coupon };
  });
}
