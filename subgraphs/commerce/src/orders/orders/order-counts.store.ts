import { scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { scopeCounts } from '@loyalty/platform/loading/scope-counts';

/** Orders of every status. */
export const orderCounts = scopeCounts('commerce.order_counts');

const COUNTED = '(SELECT $1::uuid AS workspace_id, $2::platform."Mode" AS mode, $3::int AS rows)';

/** Counts new orders that another statement of the transaction has written. */
export async function countOrders(tx: Context, orders: number): Promise<void> {
  if (orders > 0) await tx.sql.query(orderCounts.add(COUNTED), [...scopeOf(tx), orders]);
}
