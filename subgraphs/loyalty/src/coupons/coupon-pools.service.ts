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

/** Every allowed change of status: an archived pool stays archived. */
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

/** What changes about a pool; what is absent stays. */
export type UpdateCouponPool = Partial<{
  readonly name: string | null | undefined;
  readonly discountDisplay: string | null | undefined;
  readonly couponsExpireAt: Date | null | undefined;
  readonly lowStockThreshold: number | null | undefined;
}>;

/** A pool that something refers to; null when the workspace has none. */
export const findCouponPool = (ctx: Context, id: string): Promise<CouponPool | null> =>
  ctx.load(poolById, id);

/** The pools of these ids that the workspace has. */
export async function findCouponPools(ctx: Context, ids: readonly string[]): Promise<CouponPool[]> {
  const found = await Promise.all(ids.map((id) => findCouponPool(ctx, id)));
  return found.filter((pool) => pool !== null);
}

/**
 * The pool as it is now.
 *
 * @throws AppError COUPON_POOL_NOT_FOUND (404)
 */
export async function getCouponPool(ctx: Context, id: string): Promise<CouponPool> {
  const pool = await findPool(ctx, id);
  if (!pool) throw notFound('coupon pool', id);
  return pool;
}

/**
 * The pool, if it issues codes now.
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
 * The pool, if it may be filled; it is not archived before the transaction ends.
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
 * Pools, newest first.
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
 * Changes the details of a pool; two changes at once both count. The expiry counts for issued codes, too.
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
      // A form sends back what it did not change, also an instant that has passed.
      if (couponsExpireAt?.getTime() !== before.couponsExpireAt?.getTime())
        check(() => checkExpiry(ctx, couponsExpireAt));
      const name = check(() => checkText('input.name', input.name ?? before.name, 200));
      const discountDisplay = check(() => checkText('input.discountDisplay', shown, 100));
      return { ...before, name, discountDisplay, couponsExpireAt, lowStockThreshold };
    });
  });
}

/**
 * Pauses, resumes or archives a pool; the status that it has already changes nothing. An archived pool can
 * still have its codes voided.
 *
 * @param voidCodes - codes that are not redeemed yet become void
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
 * @param threshold - codes; null: no warning
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
    // Else a stock that was low by the former threshold would not be published by a lower one.
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
