import type { Context } from '@loyalty/platform/context';
import { anyOf } from '@loyalty/platform/loading/array-parameters';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';

export type CouponType = 'PERCENT' | 'FIXED' | 'FREE_SHIPPING' | 'FREE_ITEM' | 'CUSTOM';
export type CouponPoolStatus = 'ACTIVE' | 'PAUSED' | 'ARCHIVED';

/** What an admin says about a pool. */
interface CouponPoolDetails {
  readonly name: string;
  readonly couponType: CouponType;
  readonly discountDisplay: string;
  readonly couponsExpireAt: Date | null;
  /** At this number of available codes the stock is low. */
  readonly lowStockThreshold: number | null;
}

export interface CouponPool extends CouponPoolDetails {
  readonly id: string;
  readonly status: CouponPoolStatus;
  readonly codesVoidedAt: Date | null;
  readonly createdAt: Date;
}

const columns = `id, name, coupon_type, discount_display, status, coupons_expire_at, low_stock_threshold,
  codes_voided_at, created_at`;

export const poolById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<CouponPool>(
    `SELECT ${columns} FROM loyalty.coupon_pools WHERE workspace_id = $1 AND id = ${anyOf('$2::uuid[]')}`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** The pool as it is now, without the loader's cache. */
export async function findPool(ctx: Context, id: string): Promise<CouponPool | null> {
  const [row] = await ctx.sql.query<CouponPool>(
    `SELECT ${columns} FROM loyalty.coupon_pools WHERE workspace_id = $1 AND id = $2`,
    [ctx.scope.workspaceId, id],
  );
  return row ?? null;
}

/** The pool as it is now; its status, expiry and threshold stay so until the transaction ends. */
export async function lockPool(tx: Context, id: string): Promise<CouponPool | null> {
  const [row] = await tx.sql.query<CouponPool>(
    `SELECT ${columns} FROM loyalty.coupon_pools WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [tx.scope.workspaceId, id],
  );
  return row ?? null;
}

export async function poolsPage(
  ctx: Context,
  request: PageRequest,
  filter: {
    readonly status: CouponPoolStatus | null;
    readonly couponType: CouponType | null;
    readonly search: string | null;
  },
): Promise<Page<CouponPool>> {
  const where = `workspace_id = $1 AND ($2::loyalty."CouponPoolStatus" IS NULL OR status = $2)
             AND ($3::loyalty."CouponType" IS NULL OR coupon_type = $3)
             AND ($4::text IS NULL OR position(lower($4) IN lower(name)) > 0)`;
  const params = [ctx.scope.workspaceId, filter.status, filter.couponType, filter.search];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<CouponPool>(
    `SELECT ${columns} FROM loyalty.coupon_pools WHERE ${where} AND ($5::uuid IS NULL OR id ${beyond} $5)
      ORDER BY id ${order} LIMIT $6 OFFSET $7`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM loyalty.coupon_pools WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

export async function insertPool(ctx: Context, id: string, details: CouponPoolDetails): Promise<CouponPool> {
  const [row] = await ctx.sql.query<CouponPool>(
    `INSERT INTO loyalty.coupon_pools
       (id, workspace_id, name, coupon_type, discount_display, status, coupons_expire_at,
        low_stock_threshold, created_at)
     VALUES ($1, $2, $3, $4::loyalty."CouponType", $5, 'ACTIVE', $6, $7, $8) RETURNING ${columns}`,
    [
      id,
      ctx.scope.workspaceId,
      details.name,
      details.couponType,
      details.discountDisplay,
      details.couponsExpireAt,
      details.lowStockThreshold,
      ctx.clock.now(),
    ],
  );
  return row!;
}

/** The fields of a pool that may change. */
export type PoolChange = Omit<CouponPool, 'id' | 'couponType' | 'createdAt'>;

export async function changePool(ctx: Context, id: string, change: PoolChange): Promise<CouponPool> {
  const { name, discountDisplay, status, couponsExpireAt, codesVoidedAt, lowStockThreshold } = change;
  const [row] = await ctx.sql.query<CouponPool>(
    `UPDATE loyalty.coupon_pools
        SET name = $3, discount_display = $4, status = $5::loyalty."CouponPoolStatus",
            coupons_expire_at = $6, codes_voided_at = $7, low_stock_threshold = $8
      WHERE workspace_id = $1 AND id = $2 RETURNING ${columns}`,
    [
      ctx.scope.workspaceId,
      id,
      name,
      discountDisplay,
      status,
      couponsExpireAt,
      codesVoidedAt,
      lowStockThreshold,
    ],
  );
  return row!;
}
