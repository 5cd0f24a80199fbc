import type { Context } from '@loyalty/platform/context';
import { anyOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { columns, containing, inSql } from '@loyalty/prisma/columns';

export type CouponType = 'PERCENT' | 'FIXED' | 'FREE_SHIPPING' | 'FREE_ITEM' | 'CUSTOM';
export type CouponPoolStatus = 'ACTIVE' | 'PAUSED' | 'ARCHIVED';

/** Details of a pool that staff enter. */
interface CouponPoolDetails {
  readonly name: string;
  readonly couponType: CouponType;
  readonly discountDisplay: string;
  readonly couponsExpireAt: Date | null;
  /** Number of available codes at which the stock is low. */
  readonly lowStockThreshold: number | null;
}

export interface CouponPool extends CouponPoolDetails {
  readonly id: string;
  readonly status: CouponPoolStatus;
  readonly codesVoidedAt: Date | null;
  readonly createdAt: Date;
}

const select = {
  ...columns('id', 'name', 'couponType', 'discountDisplay', 'status'),
  ...columns('couponsExpireAt', 'lowStockThreshold', 'codesVoidedAt', 'createdAt'),
};
const sqlColumns = inSql(select);

export const poolById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<CouponPool>(
    `SELECT ${sqlColumns} FROM loyalty.coupon_pools WHERE workspace_id = $1 AND id = ${anyOf('$2::uuid[]')}`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** Returns the pool without the loader's cache. */
export async function findPool(ctx: Context, id: string): Promise<CouponPool | null> {
  const [row] = await ctx.sql.query<CouponPool>(
    `SELECT ${sqlColumns} FROM loyalty.coupon_pools WHERE workspace_id = $1 AND id = $2`,
    [ctx.scope.workspaceId, id],
  );
  return row ?? null;
}

/**
 * Returns the pool and locks its status, expiry and threshold until the transaction ends. Unlike `FOR
 * UPDATE`, the lock lets others add codes.
 */
export async function lockPool(tx: Context, id: string): Promise<CouponPool | null> {
  const [row] = await tx.sql.query<CouponPool>(
    `SELECT ${sqlColumns} FROM loyalty.coupon_pools
      WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [tx.scope.workspaceId, id],
  );
  return row ?? null;
}

export const poolsPage = (
  ctx: Context,
  request: PageRequest,
  filter: {
    readonly status: CouponPoolStatus | null;
    readonly couponType: CouponType | null;
    readonly search: string | null;
  },
): Promise<Page<CouponPool>> => {
  const { status, couponType, search } = filter;
  return pageOf(ctx.prisma.couponPool, request, {
    where: {
      ...(status && { status }),
      ...(couponType && { couponType }),
      ...(search && { name: containing(search) }),
    },
    select,
  });
};

export const insertPool = (ctx: Context, id: string, details: CouponPoolDetails): Promise<CouponPool> =>
  ctx.prisma.couponPool.create({
    data: { id, ...details, status: 'ACTIVE', createdAt: ctx.clock.now() },
    select,
  });

/** The fields of a pool that may change. */
export type PoolChange = Omit<CouponPool, 'id' | 'couponType' | 'createdAt'>;

export async function changePool(ctx: Context, id: string, change: PoolChange): Promise<CouponPool> {
  const { name, discountDisplay, status, couponsExpireAt, codesVoidedAt, lowStockThreshold } = change;
  const [row] = await ctx.prisma.couponPool.updateManyAndReturn({
    where: { id },
    data: { name, discountDisplay, status, couponsExpireAt, codesVoidedAt, lowStockThreshold },
    select,
  });
  return row!;
}
