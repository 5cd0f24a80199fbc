import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { OrderFactStatus } from './fact.ts';

/** A known order: its member and its latest fact. */
export interface LatestOrder {
  readonly externalId: string;
  readonly orderId: string;
  readonly memberId: string;
  readonly occurredAt: Date;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: OrderFactStatus;
  readonly recordedAt: Date;
}

/**
 * Returns known orders by their external ids and locks them: their members cannot change until the
 * transaction ends.
 */
export async function lockLatestOrders(tx: Context, externalIds: readonly string[]): Promise<LatestOrder[]> {
  return tx.sql.query(
    `SELECT k.external_id, k.order_id, k.member_id, f.*
       FROM (SELECT i.* FROM model.fact_ids AS i
              WHERE ${inScope('i')} AND i.kind = 'ORDERS'
                AND i.external_id = ANY($3::text[]) ORDER BY i.external_id FOR NO KEY UPDATE) AS k
      CROSS JOIN LATERAL (
              SELECT o.occurred_at, o.amount_minor, o.currency, o.status, o.recorded_at
                FROM model.order_facts AS o
               WHERE ${inScope('o')} AND o.member_id = k.member_id
                 AND o.order_id = k.order_id
               ORDER BY o.recorded_at DESC, o.id DESC LIMIT 1) AS f`,
    [...scopeOf(tx), externalIds],
  );
}

/** Records the current members of orders, for order lines that are imported later. */
export async function moveOrders(
  tx: Context,
  orders: readonly { readonly externalId: string; readonly memberId: string; readonly occurredAt: Date }[],
): Promise<void> {
  await tx.sql.query(
    `UPDATE model.fact_ids AS k SET member_id = m.member_id, occurred_at = m.occurred_at
       FROM unnest($3::text[], $4::uuid[], $5::timestamptz[]) AS m(external_id, member_id, occurred_at)
      WHERE ${inScope('k')} AND k.kind = 'ORDERS'
        AND k.external_id = m.external_id`,
    [...scopeOf(tx), ...arraysOf(orders, 'externalId', 'memberId', 'occurredAt')],
  );
}
