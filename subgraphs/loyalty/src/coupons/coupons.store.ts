import { busy } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { anyOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { failedWith } from '@loyalty/prisma/sqlstate';
import { couponColumns, couponsOf, moveCoupons, scoped, usablePool } from './coupon-sql.ts';

export type CouponStatus = 'AVAILABLE' | 'HELD' | 'ISSUED' | 'REDEEMED' | 'VOID';

export interface Coupon {
  readonly id: string;
  readonly code: string;
  readonly poolId: string;
  readonly status: CouponStatus;
  /** The pool's expiry: all its codes expire together. */
  readonly expiresAt: Date | null;
  readonly memberId: string | null;
  readonly captureId: string | null;
  readonly reservationId: string | null;
  readonly heldUntil: Date | null;
  readonly issuedAt: Date | null;
  readonly redeemedAt: Date | null;
  readonly redeemedStoreId: string | null;
  readonly voidedAt: Date | null;
  readonly createdAt: Date;
}

const coupons = couponsOf('loyalty.coupons');

/** The values of $1, $2 and $3 in every statement here. */
const bound = ({ scope, clock }: Context) => [scope.workspaceId, scope.mode, clock.now()] as const;

export const couponById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Coupon>(
    `SELECT ${couponColumns} FROM ${coupons} WHERE ${scoped} AND c.id = ${anyOf('$4::uuid[]')}`,
    [...bound(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

async function findOne(ctx: Context, condition: string, values: readonly unknown[]): Promise<Coupon | null> {
  const [row] = await ctx.sql.query<Coupon>(
    `SELECT ${couponColumns} FROM ${coupons} WHERE ${scoped} AND ${condition}`,
    [...bound(ctx), ...values],
  );
  return row ?? null;
}

/** Returns the coupon without the loader's cache. */
export const findCoupon = (ctx: Context, id: string): Promise<Coupon | null> =>
  findOne(ctx, 'c.id = $4', [id]);

export const findByCode = (ctx: Context, key: string): Promise<Coupon | null> =>
  findOne(ctx, 'c.code_key = $4', [key]);

export const findOfCapture = (ctx: Context, poolId: string, captureId: string): Promise<Coupon | null> =>
  findOne(ctx, 'c.pool_id = $4 AND c.capture_id = $5', [poolId, captureId]);

/** Coupons of one capture that a list shows. */
const OF_CAPTURE_MAX = 50;

/** Loads the newest coupons of each capture. */
export const couponsByCapture = loader(async (ctx, captureIds: readonly string[]) => {
  const rows = await ctx.sql.query<Coupon>(
    `SELECT found.* FROM unnest($4::uuid[]) AS w(capture_id)
      CROSS JOIN LATERAL (
        SELECT ${couponColumns} FROM ${coupons} WHERE ${scoped} AND c.capture_id = w.capture_id
         ORDER BY c.id DESC LIMIT ${OF_CAPTURE_MAX}
      ) AS found
      ORDER BY found.id DESC`,
    [...bound(ctx), captureIds],
  );
  return Map.groupBy(rows, ({ captureId }) => captureId!);
});

const VOIDED_POOLS = `(SELECT v.id FROM loyalty.coupon_pools AS v
                        WHERE v.workspace_id = $1 AND v.codes_voided_at IS NOT NULL)`;

/** Codes of voided pools are void, regardless of their rows, unless they were redeemed before. */
function statusIs(status: CouponStatus): string {
  if (status === 'REDEEMED') return `c.status = 'REDEEMED'`;
  if (status === 'VOID')
    return `(c.status = 'VOID' OR c.status <> 'REDEEMED' AND c.pool_id IN ${VOIDED_POOLS})`;
  return `c.status = '${status}' AND c.pool_id NOT IN ${VOIDED_POOLS}`;
}

interface CouponFilter {
  readonly poolId: string | null;
  readonly status: CouponStatus | null;
  /** The code in upper case. */
  readonly codeKey: string | null;
}

/** Returns a page of coupons. Ids are selected first, from an index, so that skipped rows are not read. */
export async function couponsPage(
  ctx: Context,
  request: PageRequest,
  filter: CouponFilter,
): Promise<Page<Coupon>> {
  const params: unknown[] = [...bound(ctx)];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const { order, beyond } = scan(request);
  const conditions = [
    scoped,
    ...(filter.poolId ? [`c.pool_id = ${bind(filter.poolId)}::uuid`] : []),
    ...(filter.status ? [statusIs(filter.status)] : []),
    ...(filter.codeKey ? [`c.code_key = ${bind(filter.codeKey)}`] : []),
  ];
  const counted = conditions.join(' AND ');
  const countedParams = [...params];
  const behindCursor = request.cursorId ? ` AND c.id ${beyond} ${bind(request.cursorId)}` : '';
  const chosen = `SELECT c.id FROM loyalty.coupons AS c WHERE ${counted}${behindCursor}
                   ORDER BY c.id ${order} LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`;
  const rows = await ctx.sql.query<Coupon>(
    `SELECT ${couponColumns} FROM ${coupons} WHERE ${scoped} AND c.id = ANY(ARRAY(${chosen}))
      ORDER BY c.id ${order}`,
    params,
  );
  return page(request, rows, () =>
    filter.codeKey ? countOne(ctx, counted, countedParams) : countCodes(ctx, filter),
  );
}

const ALL = 'k.available + k.held + k.issued + k.redeemed + k.voided';
const isVoided = 'p.codes_voided_at IS NOT NULL';

/** The column with the count of a status. */
const countOf: Readonly<Record<CouponStatus, string>> = {
  AVAILABLE: `CASE WHEN ${isVoided} THEN 0 ELSE k.available END`,
  HELD: `CASE WHEN ${isVoided} THEN 0 ELSE k.held END`,
  ISSUED: `CASE WHEN ${isVoided} THEN 0 ELSE k.issued END`,
  REDEEMED: 'k.redeemed',
  VOID: `CASE WHEN ${isVoided} THEN ${ALL} - k.redeemed ELSE k.voided END`,
};

/** Counts rows: a code has at most one. `$3` is bound in every statement here. */
async function countOne(ctx: Context, where: string, params: readonly unknown[]): Promise<number> {
  const sql = `SELECT 1 FROM loyalty.coupons AS c WHERE ${where} AND $3::timestamptz IS NOT NULL`;
  return (await ctx.sql.query(sql, params)).length;
}

/** Counts codes of a pool, or of all pools, from the stored counts, without reading a million rows. */
async function countCodes(ctx: Context, { poolId, status }: CouponFilter): Promise<number> {
  const { workspaceId, mode } = ctx.scope;
  const [counted] = await ctx.sql.query<{ total: number }>(
    `SELECT coalesce(sum(${status ? countOf[status] : ALL}), 0)::int AS total
       FROM loyalty.coupon_counts AS k
       JOIN loyalty.coupon_pools AS p ON p.workspace_id = k.workspace_id AND p.id = k.pool_id
      WHERE ${inScope('k')} AND ($3::uuid IS NULL OR k.pool_id = $3)`,
    [workspaceId, mode, poolId],
  );
  return counted?.total ?? 0;
}

/** The change of the code that is taken. */
export interface Claim {
  readonly poolId: string;
  readonly status: 'ISSUED' | 'HELD';
  readonly memberId?: string | null;
  readonly captureId?: string | null;
  readonly reservationId?: string | null;
  readonly heldUntil?: Date | null;
}

const drawn = (next: string, order: string, locking: string): string =>
  moveCoupons(
    `${scoped} AND c.pool_id = $4 AND ${next}
       AND EXISTS (SELECT 1 FROM loyalty.coupon_pools AS p
                    WHERE p.workspace_id = $1 AND p.id = $4 AND p.status = 'ACTIVE' AND ${usablePool})
     ORDER BY ${order} LIMIT 1`,
    `status = $5::loyalty."CouponStatus", member_id = $6, capture_id = $7, reservation_id = $8,
     held_until = $9,
     issued_at = CASE WHEN $5::loyalty."CouponStatus" = 'ISSUED' THEN $3::timestamptz END`,
    locking,
  );

/**
 * AVAILABLE is the lowest status. With this condition and this order PostgreSQL reads the index of pool and
 * status, where the next code comes first; with any other index it would read all codes that were issued
 * before.
 */
const AVAILABLE = [`c.status <= 'AVAILABLE'`, 'c.status, c.id'] as const;
const OVERDUE = [`c.status = 'HELD' AND c.held_until <= $3::timestamptz`, 'c.held_until'] as const;

/**
 * Three attempts: a code that no other transaction has locked, then one whose hold is overdue, finally a
 * locked one. The other transaction may be rolled back, so a pool is empty only after this statement has
 * waited for it.
 */
export const draws = [
  drawn(...AVAILABLE, 'FOR UPDATE OF c SKIP LOCKED'),
  drawn(...OVERDUE, 'FOR UPDATE OF c SKIP LOCKED'),
  drawn(...AVAILABLE, 'FOR UPDATE OF c'),
];

/**
 * Takes the next code of a pool that issues codes; null if it has none.
 *
 * @throws AppError POOL_BUSY (409) if other transactions are taking the last codes for too long
 */
export async function drawNext(tx: Context, claim: Claim): Promise<Coupon | null> {
  const { poolId, status, memberId = null, captureId = null, reservationId = null, heldUntil = null } = claim;
  const params = [...bound(tx), poolId, status, memberId, captureId, reservationId, heldUntil];
  try {
    for (const draw of draws) {
      const [row] = await tx.sql.query<Coupon>(draw, params);
      if (row) return row;
    }
    return null;
  } catch (error) {
    if (!failedWith(error, 'LOCK_NOT_AVAILABLE')) throw error;
    throw busy('POOL_BUSY', 'The last codes of the pool are being taken; nothing was done. Try again.');
  }
}

const USABLE = `c.status IN ('AVAILABLE', 'HELD', 'ISSUED')`;

const REDEEM = moveCoupons(
  `${scoped} AND c.id = $4 AND ${USABLE}
     AND EXISTS (SELECT 1 FROM loyalty.coupon_pools AS p
                  WHERE p.workspace_id = $1 AND p.id = c.pool_id AND ${usablePool})`,
  `status = 'REDEEMED', redeemed_at = $3, redeemed_store_id = $5, held_until = NULL`,
);

/** Returns null if the coupon does not exist or can no longer be redeemed. */
export async function markRedeemed(tx: Context, id: string, storeId: string | null): Promise<Coupon | null> {
  const [row] = await tx.sql.query<Coupon>(REDEEM, [...bound(tx), id, storeId]);
  return row ?? null;
}

const VOID = moveCoupons(
  `${scoped} AND c.id = $4 AND ${USABLE}`,
  `status = 'VOID', voided_at = $3, capture_id = NULL, reservation_id = NULL, held_until = NULL`,
);

/** Returns null if the coupon does not exist, was redeemed, or is void already. */
export async function markVoid(tx: Context, id: string): Promise<Coupon | null> {
  const [row] = await tx.sql.query<Coupon>(VOID, [...bound(tx), id]);
  return row ?? null;
}
