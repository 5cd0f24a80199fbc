import type { Context } from '@loyalty/platform/context';
import { findCoupon } from '../coupons/coupons.service.ts';
import { findBulkAward } from './bulk-awards.service.ts';

/** Returns the object for which the points of an entry were given; null if its source is none of these. */
export async function sourceOf(ctx: Context, source: string | null) {
  const [kind, id] = (source ?? '').split(':');
  if (!id) return null;
  switch (kind) {
    case 'order':
      return { __typename: 'Order' as const, id };
    case 'receipt':
      return { __typename: 'Receipt' as const, id };
    case 'coupon':
      return named('Coupon', await findCoupon(ctx, id));
    case 'bulk-award':
      return named('BulkAward', await findBulkAward(ctx, id));
    default:
      return null;
  }
}

const named = <Name extends string, Row>(__typename: Name, row: Row | null) => row && { ...row, __typename };
