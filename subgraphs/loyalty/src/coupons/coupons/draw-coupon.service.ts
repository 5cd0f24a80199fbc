import type { Context } from '@loyalty/platform/context';
import { conflict } from '@loyalty/platform/errors';
import { publish } from '@loyalty/platform/outbox/events';
import { type CouponPool, getIssuingPool } from '../coupon-pools/coupon-pools.service.ts';
import { noteDraw } from '../coupon-pools/coupon-stock.service.ts';
import { couponIssued } from './coupons.events.ts';
import { type Claim, type Coupon, drawNext } from './coupons.store.ts';

/**
 * Takes the next code of a pool in the caller's transaction. Each code is given to one caller. While other
 * transactions take the last codes, this call waits for their end.
 *
 * @throws AppError COUPON_POOL_NOT_FOUND (404), POOL_UNAVAILABLE, POOL_EXHAUSTED, POOL_BUSY (409)
 * @remarks Source: requirement L-CPN-24
 */
export async function drawCoupon(
  tx: Context,
  pool: CouponPool,
  claim: Omit<Claim, 'poolId'>,
): Promise<Coupon> {
  const coupon = await drawNext(tx, { ...claim, poolId: pool.id });
  if (!coupon) {
    // It may have been paused since it was read.
    await getIssuingPool(tx, pool.id);
    throw conflict('POOL_EXHAUSTED', 'No code of the pool is left. Fill the pool or choose another one.');
  }
  await noteDraw(tx, pool);
  return coupon;
}

/**
 * Publishes that a coupon was issued. @param memberId - of the capture, where the coupon has no member
 * itself
 */
export async function publishIssued(tx: Context, coupon: Coupon, memberId = coupon.memberId): Promise<void> {
  const { id: couponId, poolId, captureId } = coupon;
  await publish(tx, couponIssued, { couponId, poolId, memberId, captureId });
}
