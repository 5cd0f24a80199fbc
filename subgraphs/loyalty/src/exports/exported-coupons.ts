import type { ExportDefinition } from '@loyalty/platform/exports/export-definition';
import { z } from 'zod';
import { getCouponPool } from '../coupons/coupon-pools.service.ts';
import { couponsPage } from '../coupons/coupons.service.ts';
import { couponExportRequested } from './exports.events.ts';

const filter = z.object({
  poolId: z.string(),
  status: z.enum(['AVAILABLE', 'HELD', 'ISSUED', 'REDEEMED', 'VOID']).optional(),
});

/** Exports codes of a pool, sorted by id, which never changes. */
export const exportedCoupons: ExportDefinition<z.infer<typeof filter>> = {
  kind: 'COUPONS',
  columns: [
    ...['id', 'code', 'pool_id', 'status', 'member_id', 'issued_at', 'redeemed_at', 'redeemed_store_id'],
    ...['voided_at', 'expires_at', 'created_at'],
  ],
  filter,
  job: 'loyalty.export-coupons',
  requested: couponExportRequested,
  async open(ctx, { poolId, status = null }) {
    await getCouponPool(ctx, poolId);
    const wanted = { poolId, status, codeKey: null };
    const first = { size: 1, cursorId: null, isBackward: false, offset: 0 };
    return {
      count: async () => (await couponsPage(ctx, first, wanted)).total(),
      async read(tx, cursorId, size) {
        const { rows, hasNextPage } = await couponsPage(tx, { ...first, size, cursorId }, wanted);
        return {
          rows: rows.map((coupon) => [
            ...[coupon.id, coupon.code, coupon.poolId, coupon.status, coupon.memberId, coupon.issuedAt],
            ...[coupon.redeemedAt, coupon.redeemedStoreId, coupon.voidedAt, coupon.expiresAt],
            coupon.createdAt,
          ]),
          after: hasNextPage ? rows.at(-1)!.id : null,
        };
      },
    };
  },
};
