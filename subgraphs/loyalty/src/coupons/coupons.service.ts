import type { ReasonOf } from '@loyalty/platform/base/error-reasons';
import { AppError, conflict, notFound } from '@loyalty/platform/base/errors';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish } from '@loyalty/platform/work/events';
import { captureMember, lockCapture } from '../captures/captures.service.ts';
import { findStore } from '../stores.service.ts';
import { CODE_LENGTH_MAX, codeKey } from './coupon-codes.ts';
import { type CouponPool, checkIssuing, getCouponPool, getIssuingPool } from './coupon-pools.service.ts';
import { noteDraw } from './coupon-stock.service.ts';
import { couponIssued, couponRedeemed, couponVoided, visitObserved } from './coupons.events.ts';
import {
  type Claim,
  type Coupon,
  type CouponStatus,
  couponById,
  couponsPage,
  drawNext,
  findByCode,
  findCoupon as findNow,
  findOfCapture,
  markRedeemed,
  markVoid,
} from './coupons.store.ts';
import {
  couponCountByMember,
  couponHistory,
  couponHistoryCountByMember,
  memberCoupons,
} from './member-coupons.store.ts';

export type { Coupon };

export { couponsPage };

/** Loads a coupon for an object that refers to it; null if there is none. */
export const findCoupon = (ctx: Context, id: string): Promise<Coupon | null> => ctx.load(couponById, id);

/** Returns the coupon with a code, regardless of case; null if there is none. */
export const findCouponByCode = (ctx: Context, code: string): Promise<Coupon | null> =>
  findByCode(ctx, codeKey(code));

/**
 * Returns coupons, newest first.
 *
 * @param args.code - regardless of case; at most one coupon has it
 * @throws AppError VALIDATION_FAILED for paging out of bounds and for text that is not a code
 * @remarks Source: v2 REST API, section 4 "Coupons", GET /coupons
 */
export async function listCoupons(
  ctx: Context,
  args: PageArgs & {
    readonly poolId?: string | null | undefined;
    readonly status?: CouponStatus | null | undefined;
    readonly code?: string | null | undefined;
  },
): Promise<Page<Coupon>> {
  const { poolId = null, status = null, code = null } = args;
  const key = code === null ? null : codeKey(checkText('code', code, CODE_LENGTH_MAX));
  return couponsPage(ctx, pageRequest(args), { poolId, status, codeKey: key });
}

/**
 * Returns coupons that a member can redeem, newest first: those issued to the member and those of captures
 * with the member's address. Batched by member.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4 "Members", GET /members/{id}/coupons; requirement L-CPN-23
 */
export async function listMemberCoupons(
  ctx: Context,
  memberId: string,
  args: PageArgs,
): Promise<Page<Coupon>> {
  const request = pageRequest(args);
  const rows = await memberCoupons(ctx, memberId, request);
  return page(request, rows, async () => (await ctx.load(couponCountByMember, memberId)) ?? 0);
}

/**
 * Returns every coupon that was issued to a member, newest first, with any status.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 */
export async function listCouponHistory(
  ctx: Context,
  memberId: string,
  args: PageArgs,
): Promise<Page<Coupon>> {
  const request = pageRequest(args);
  const rows = await couponHistory(ctx, memberId, request);
  return page(request, rows, async () => (await ctx.load(couponHistoryCountByMember, memberId)) ?? 0);
}

/**
 * Issues a code of a pool to a capture. A capture has one code of each pool: a second call returns it, even
 * if the pool no longer issues codes, and publishes nothing.
 *
 * @throws AppError COUPON_POOL_NOT_FOUND, CAPTURE_NOT_FOUND (404), POOL_UNAVAILABLE, POOL_EXHAUSTED,
 *   POOL_BUSY (409), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Coupons", POST /coupons/issue; requirements L-CPN-09, L-CPN-10
 */
export async function issueCoupon(ctx: Context, poolId: string, captureId: string): Promise<Coupon> {
  await guardWrite(ctx, 'value');
  return ctx.transaction(async (tx) => {
    const pool = await getCouponPool(tx, poolId);
    await lockCapture(tx, captureId);
    const held = await findOfCapture(tx, poolId, captureId);
    if (held) return held;
    checkIssuing(tx, pool);
    const coupon = await drawCoupon(tx, pool, { status: 'ISSUED', captureId });
    await publishIssued(tx, coupon, await captureMember(tx, captureId));
    return coupon;
  });
}

/**
 * Redeems a coupon: of all calls exactly one succeeds. The others fail with 404, like for an unknown coupon,
 * so that the till does not accept the coupon.
 *
 * @param storeId - the store where it is redeemed; this counts as a visit of the coupon's member
 * @throws AppError COUPON_NOT_FOUND, COUPON_NOT_REDEEMABLE, COUPON_EXPIRED, STORE_NOT_FOUND (404),
 *   RATE_LIMITED (429), GUARD_UNAVAILABLE, PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Coupons", POST /coupons/{id}/redeem; requirements L-CPN-11 to 20
 */
export async function redeemCoupon(ctx: Context, id: string, storeId: string | null): Promise<Coupon> {
  await guardWrite(ctx, 'value');
  if (storeId && !(await findStore(ctx, storeId))) throw notFound('store', storeId);
  return ctx.transaction(async (tx) => {
    const coupon = await markRedeemed(tx, id, storeId);
    if (!coupon) throw await refusalOf(tx, id);
    const { poolId, captureId } = coupon;
    const memberId = coupon.memberId ?? (captureId ? await captureMember(tx, captureId) : null);
    await publish(tx, couponRedeemed, { couponId: id, poolId, memberId, storeId });
    const observedAt = tx.clock.now().toISOString();
    if (memberId && storeId)
      await publish(tx, visitObserved, { memberId, storeId, source: 'REDEEM', observedAt });
    return coupon;
  });
}

/** Returns the reason why a coupon was not redeemed; always with status 404. */
async function refusalOf(tx: Context, id: string): Promise<AppError> {
  const coupon = await findNow(tx, id);
  if (!coupon) return notFound('coupon', id);
  const refuse = (code: ReasonOf<'NOT_FOUND'>, sentence: string) => new AppError('NOT_FOUND', code, sentence);
  if (coupon.status === 'REDEEMED')
    return refuse('COUPON_NOT_REDEEMABLE', 'The coupon was redeemed before. Do not honour it.');
  if (coupon.status === 'VOID')
    return refuse('COUPON_NOT_REDEEMABLE', 'The coupon is void. Do not honour it.');
  return refuse('COUPON_EXPIRED', 'The coupon has expired. Do not honour it.');
}

/**
 * Voids a code. A void code stays void, and a redeemed one cannot be voided. The code is removed from its
 * capture, so that the capture can get another.
 *
 * @throws AppError COUPON_NOT_FOUND (404), COUPON_REDEEMED (409), VALIDATION_FAILED (400), RATE_LIMITED (429)
 */
export async function voidCoupon(ctx: Context, id: string, reason: string): Promise<Coupon> {
  await guardWrite(ctx, 'value');
  const why = checkText('reason', reason, 500);
  return ctx.transaction(async (tx) => {
    const before = await findNow(tx, id);
    if (!before) throw notFound('coupon', id);
    const coupon = await markVoid(tx, id);
    if (coupon) {
      const { status, captureId, memberId } = before;
      const ownerId = memberId ?? (captureId ? await captureMember(tx, captureId) : null);
      await publish(tx, couponVoided, { couponId: id, memberId: ownerId });
      const after = { status: 'VOID', reason: why };
      const shown = { before: { status, captureId, memberId }, after };
      await audit(tx, { action: 'voidCoupon', resourceType: 'Coupon', resourceId: id, ...shown });
      return coupon;
    }
    const now = await findNow(tx, id);
    if (now?.status === 'VOID') return now;
    throw conflict('COUPON_REDEEMED', 'The coupon was redeemed. Only codes that were not can be voided.');
  });
}

/**
 * Takes the next code of a pool in the caller's transaction. Each code goes to one caller. If other
 * transactions are taking the last codes, this call waits for their end.
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
    // The pool may have been paused since it was read.
    await getIssuingPool(tx, pool.id);
    throw conflict('POOL_EXHAUSTED', 'No code of the pool is left. Fill the pool or choose another one.');
  }
  await noteDraw(tx, pool);
  return coupon;
}

/**
 * Publishes that a coupon was issued. @param memberId - the capture's member, if the coupon itself has none
 */
export async function publishIssued(tx: Context, coupon: Coupon, memberId = coupon.memberId): Promise<void> {
  const { id: couponId, poolId, captureId } = coupon;
  await publish(tx, couponIssued, { couponId, poolId, memberId, captureId });
}
