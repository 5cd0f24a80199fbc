import { AppError } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { createCapture } from '../captures/captures.service.ts';
import { generateCoupons } from './coupon-batches.service.ts';
import { type CreateCouponPool, createCouponPool } from './coupon-pools.service.ts';

let made = 0;

/** Creates a pool with this many codes of the caller's mode. */
export async function poolOf(ctx: Context, codes: number, details: Partial<CreateCouponPool> = {}) {
  made += 1;
  const terms = { couponType: 'PERCENT', discountDisplay: '20% off' } as const;
  const pool = await createCouponPool(ctx, { name: `Pool ${made}`, ...terms, ...details });
  if (codes > 0) await generateCoupons(ctx, pool.id, codes);
  return pool;
}

export function captured(ctx: Context, email?: string) {
  made += 1;
  return createCapture(ctx, { email: email ?? `visitor-${made}@example.com` });
}

/** Retries, as the error recommends, while other transactions take the last codes. */
export async function untilNotBusy<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'POOL_BUSY') throw error;
    }
  }
}

/** Creates a store in the commerce subgraph. */
export async function storeOf(ctx: Context): Promise<{ id: string }> {
  const id = newId(ctx.clock);
  await ctx.sql.query(
    `INSERT INTO commerce.stores
       (id, workspace_id, name, address, status, geofence_radius_meters, created_at, updated_at)
     VALUES ($1, $2, 'Corner', 'Street 1', 'ACTIVE', 200, $3, $3)`,
    [id, ctx.scope.workspaceId, ctx.clock.now()],
  );
  return { id };
}

/** A selection of the counts of a pool. */
export const COUNTS = 'availableCount heldCount issuedCount redeemedCount voidedCount';

/** Counts the rows of a pool, for comparison with the stored counts. */
export async function countedByRows(ctx: Context, poolId: string) {
  const rows = await ctx.sql.query<{ status: string; codes: number }>(
    `SELECT status, count(*)::int AS codes FROM loyalty.coupons
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND pool_id = $3 GROUP BY status`,
    [ctx.scope.workspaceId, ctx.scope.mode, poolId],
  );
  const of = (status: string) => rows.find((row) => row.status === status)?.codes ?? 0;
  return {
    availableCount: of('AVAILABLE'),
    heldCount: of('HELD'),
    issuedCount: of('ISSUED'),
    redeemedCount: of('REDEEMED'),
    voidedCount: of('VOID'),
  };
}
