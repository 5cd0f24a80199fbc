import { type AppError, conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import { inFuture } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { publish } from '@loyalty/platform/work/events';
import {
  type CouponPool,
  type CouponPoolStatus,
  type CouponType,
  changePool,
  findPool,
  insertPool,
  lockPool,
  type PoolChange,
  poolById,
  poolsPage,
} from './coupon-pools.store.ts';
import { noteRefill } from './coupon-stock.service.ts';
import { couponCodesVoided } from './coupons.events.ts';

export type { CouponPool };

/** Permitted changes of status: an archived pool stays archived. */
const moves: Readonly<Record<CouponPoolStatus, readonly CouponPoolStatus[]>> = {
  ACTIVE: ['PAUSED', 'ARCHIVED'],
  PAUSED: ['ACTIVE', 'ARCHIVED'],
  ARCHIVED: [],
};

export interface CreateCouponPool {
  readonly name: string;
  readonly couponType: CouponType;
  readonly discountDisplay: string;
  readonly couponsExpireAt?: Date | null | undefined;
  readonly lowStockThreshold?: number | null | undefined;
}

/** Changes of a pool; an absent field does not change. */
export type UpdateCouponPool = Partial<{
  readonly name: string | null | undefined;
  readonly discountDisplay: string | null | undefined;
  readonly couponsExpireAt: Date | null | undefined;
  readonly lowStockThreshold: number | null | undefined;
}>;

/** Loads a pool for an object that refers to it; null if the workspace has none. */
export const findCouponPool = (ctx: Context, id: string): Promise<CouponPool | null> =>
  ctx.load(poolById, id);

/** Returns the workspace's pools with these ids. */
export async function findCouponPools(ctx: Context, ids: readonly string[]): Promise<CouponPool[]> {
  const found = await Promise.all(ids.map((id) => findCouponPool(ctx, id)));
  return found.filter((pool) => pool !== null);
}

/**
 * Returns the pool without the loader's cache.
 *
 * @throws AppError COUPON_POOL_NOT_FOUND (404)
 */
export async function getCouponPool(ctx: Context, id: string): Promise<CouponPool> {
  const pool = await findPool(ctx, id);
  if (!pool) throw notFound('coupon pool', id);
  return pool;
}

/**
 * Returns the pool if it issues codes now.
 *
 * @throws AppError COUPON_POOL_NOT_FOUND (404), POOL_UNAVAILABLE (409)
 */
export async function getIssuingPool(ctx: Context, id: string): Promise<CouponPool> {
  const pool = await getCouponPool(ctx, id);
  checkIssuing(ctx, pool);
  return pool;
}

/** @throws AppError POOL_UNAVAILABLE (409) unless the pool issues codes now */
export function checkIssuing(ctx: Context, pool: CouponPool): void {
  if (pool.status !== 'ACTIVE') {
    throw unavailablePool(`The pool is ${pool.status.toLowerCase()}: only an active pool issues codes.`);
  }
  if (pool.couponsExpireAt && pool.couponsExpireAt <= ctx.clock.now()) {
    throw unavailablePool('The codes of this pool have expired. Choose another pool.');
  }
}

const unavailablePool = (sentence: string): AppError => conflict('POOL_UNAVAILABLE', sentence);

/**
 * Returns the pool if it may be filled; it cannot be archived before the transaction ends.
 *
 * @throws AppError COUPON_POOL_NOT_FOUND (404), POOL_UNAVAILABLE (409)
 */
export async function lockOpenPool(tx: Context, id: string): Promise<CouponPool> {
  const pool = await lockPool(tx, id);
  if (!pool) throw notFound('coupon pool', id);
  if (pool.status === 'ARCHIVED') throw unavailablePool('The pool is archived. Fill another pool.');
  return pool;
}

/**
 * Returns pools, newest first.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4 "Coupons", GET /coupons/pools
 */
export async function listCouponPools(
  ctx: Context,
  args: PageArgs & {
    readonly status?: CouponPoolStatus | null | undefined;
    readonly couponType?: CouponType | null | undefined;
    /** Part of the name. */
    readonly search?: string | null | undefined;
  },
): Promise<Page<CouponPool>> {
  const { status = null, couponType = null } = args;
  const search = args.search ? checkText('search', args.search, 200) : null;
  return poolsPage(ctx, pageRequest(args), { status, couponType, search });
}

/**
 * Creates an active pool without codes.
 *
 * @throws AppError VALIDATION_FAILED (400)
 * @remarks Source: requirements L-CPN-01, L-CPN-02, L-CPN-18
 */
export async function createCouponPool(ctx: Context, input: CreateCouponPool): Promise<CouponPool> {
  const { couponType, couponsExpireAt = null, lowStockThreshold = null } = input;
  const details = gathered((check) => ({
    name: check(() => checkText('input.name', input.name, 200)),
    couponType,
    discountDisplay: check(() => checkText('input.discountDisplay', input.discountDisplay, 100)),
    couponsExpireAt: check(() => checkExpiry(ctx, couponsExpireAt)),
    lowStockThreshold,
  }));
  return ctx.transaction(async (tx) => {
    const pool = await insertPool(tx, newId(tx.clock), details);
    await auditPool(tx, 'createCouponPool', null, pool);
    return pool;
  });
}

/**
 * Changes the details of a pool; concurrent changes are both made. The expiry also applies to issued codes.
 *
 * @throws AppError COUPON_POOL_NOT_FOUND (404), POOL_UNAVAILABLE (409), VALIDATION_FAILED (400)
 */
export async function updateCouponPool(
  ctx: Context,
  id: string,
  input: UpdateCouponPool,
): Promise<CouponPool> {
  return revisePool(ctx, id, 'updateCouponPool', (before) => {
    if (before.status === 'ARCHIVED') throw unavailablePool('An archived pool stays as it is.');
    const { couponsExpireAt = before.couponsExpireAt, lowStockThreshold = before.lowStockThreshold } = input;
    const shown = input.discountDisplay ?? before.discountDisplay;
    return gathered((check) => {
      // A form also sends unchanged fields, even an instant that has passed.
      if (couponsExpireAt?.getTime() !== before.couponsExpireAt?.getTime())
        check(() => checkExpiry(ctx, couponsExpireAt));
      const name = check(() => checkText('input.name', input.name ?? before.name, 200));
      const discountDisplay = check(() => checkText('input.discountDisplay', shown, 100));
      return { ...before, name, discountDisplay, couponsExpireAt, lowStockThreshold };
    });
  });
}

/**
 * Pauses, resumes or archives a pool. Has no effect on a pool that already has this status. The codes of an
 * archived pool can still be voided.
 *
 * @param voidCodes - voids all codes that are not redeemed
 * @throws AppError COUPON_POOL_NOT_FOUND (404), COUPON_POOL_STATUS_CONFLICT (409), VALIDATION_FAILED (400)
 * @remarks Source: requirements L-CPN-17
 */
export async function setCouponPoolStatus(
  ctx: Context,
  id: string,
  status: CouponPoolStatus,
  voidCodes = false,
): Promise<CouponPool> {
  if (voidCodes && status !== 'ARCHIVED') throw invalid('voidCodes', 'is only for pools to be archived');
  return revisePool(ctx, id, 'setCouponPoolStatus', (before) => {
    if (before.status !== status && !moves[before.status].includes(status)) {
      const sentence = 'An archived pool stays archived. Create another pool.';
      throw conflict('COUPON_POOL_STATUS_CONFLICT', sentence);
    }
    const codesVoidedAt = before.codesVoidedAt ?? (voidCodes ? ctx.clock.now() : null);
    return { ...before, status, codesVoidedAt };
  });
}

/**
 * Sets the number of available codes at which a low stock is published.
 *
 * @param threshold - number of codes; null for no warning
 * @throws AppError COUPON_POOL_NOT_FOUND (404)
 */
export async function setLowStockThreshold(
  ctx: Context,
  id: string,
  threshold: number | null,
): Promise<CouponPool> {
  return revisePool(ctx, id, 'setLowStockThreshold', (before) => ({
    ...before,
    lowStockThreshold: threshold,
  }));
}

function checkExpiry(ctx: Context, couponsExpireAt: Date | null): Date | null {
  if (couponsExpireAt && couponsExpireAt <= ctx.clock.now()) throw invalid('input.couponsExpireAt', inFuture);
  return couponsExpireAt;
}

async function revisePool(
  ctx: Context,
  id: string,
  action: string,
  decide: (before: CouponPool) => PoolChange,
): Promise<CouponPool> {
  return ctx.transaction(async (tx) => {
    const before = await lockPool(tx, id);
    if (!before) throw notFound('coupon pool', id);
    const after = await changePool(tx, id, decide(before));
    await auditPool(tx, action, before, after);
    // Otherwise a stock that was low by the former threshold would not be published for a lower one.
    if (after.lowStockThreshold !== before.lowStockThreshold) await noteRefill(tx, after);
    if (after.codesVoidedAt && !before.codesVoidedAt) await publish(tx, couponCodesVoided, { poolId: id });
    return after;
  });
}

async function auditPool(
  tx: Context,
  action: string,
  before: CouponPool | null,
  after: CouponPool,
): Promise<void> {
  const shown = { before: before && { ...before }, after: { ...after } };
  await audit(tx, { action, resourceType: 'CouponPool', resourceId: after.id, ...shown });
}
