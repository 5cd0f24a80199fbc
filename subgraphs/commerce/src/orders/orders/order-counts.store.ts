import { scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { changeInScope, scopeCounts } from '@loyalty/platform/loading/scope-counts';

/** Orders of every status. */
export const orderCounts = scopeCounts('commerce.order_counts');

/** Counts new orders that another statement of the transaction has written. */
export async function countOrders(tx: Context, orders: number): Promise<void> {
  if (orders > 0) await tx.sql.query(orderCounts.add(changeInScope('$3::int')), [...scopeOf(tx), orders]);
}
