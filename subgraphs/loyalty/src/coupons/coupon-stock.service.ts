import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import { type CouponPool, findPool } from './coupon-pools.store.ts';
import {
  type CouponCounts,
  type CouponImport,
  countsByPool,
  keepImport,
  lastImportByPool,
  markLow,
  type SkipReason,
  stockOf,
  unmarkLow,
} from './coupon-stock.store.ts';
import { couponPoolLow, couponStockDrawn } from './coupons.events.ts';

export type { SkipReason };

/** Maximum number of codes that open transactions can take without seeing each other's. */
const UNSEEN_CODES_MAX = 256;
const SKIPPED_SHOWN_MAX = 1_000;
const NONE: CouponCounts = { available: 0, held: 0, issued: 0, redeemed: 0, voided: 0 };

/**
 * Counts the codes of a pool by status, in the caller's mode; after its codes were voided, all that were not
 * redeemed count as void.
 */
export async function countCoupons(ctx: Context, pool: CouponPool): Promise<CouponCounts> {
  const counts = (await ctx.load(countsByPool, pool.id)) ?? NONE;
  if (!pool.codesVoidedAt) return counts;
  const { available, held, issued, redeemed, voided } = counts;
  return { ...NONE, redeemed, voided: voided + available + held + issued };
}

/** Loads the newest import of the caller's mode; null before the first. */
export const lastImport = (ctx: Context, poolId: string): Promise<CouponImport | null> =>
  ctx.load(lastImportByPool, poolId);

/** Stores the report of an import in its transaction, with the first 1,000 codes that were left out. */
export const recordImport = (tx: Context, poolId: string, report: CouponImport): Promise<void> =>
  keepImport(tx, poolId, { ...report, skipped: report.skipped.slice(0, SKIPPED_SHOWN_MAX) });

/** Must be called in the transaction that took codes from a pool: a job checks the stock after its commit. */
export async function noteDraw(tx: Context, { id, lowStockThreshold }: CouponPool): Promise<void> {
  if (lowStockThreshold === null) return;
  const { available, isLow } = await stockOf(tx, id);
  // Codes that open transactions take are not visible here, so the check is requested a little early.
  if (isLow || available > lowStockThreshold + UNSEEN_CODES_MAX) return;
  await publish(tx, couponStockDrawn, { poolId: id });
}

/** Must be called in the transaction that filled a pool: the next low stock is published again. */
export async function noteRefill(tx: Context, { id, lowStockThreshold }: CouponPool): Promise<void> {
  await unmarkLow(tx, id, lowStockThreshold ?? -1);
}

/**
 * Publishes once that the stock of a pool is at its threshold or below.
 *
 * @remarks Source: requirements, section 8 "Coupons"
 */
export async function publishLowStock(ctx: Context, poolId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const pool = await findPool(tx, poolId);
    if (!pool || pool.lowStockThreshold === null) return;
    const { available } = await stockOf(tx, poolId);
    if (available > pool.lowStockThreshold || !(await markLow(tx, poolId))) return;
    await publish(tx, couponPoolLow, { poolId, available: Math.max(available, 0) });
  });
}
