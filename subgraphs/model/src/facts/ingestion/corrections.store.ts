import type { Context } from '@loyalty/platform/context';
import type { OrderFactStatus } from '../facts/fact.ts';

/** What is known of an order: whose it is, and its latest fact. */
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

/** Orders as they are known, by their external ids; kept from changing hands until the transaction ends. */
export async function lockLatestOrders(tx: Context, externalIds: readonly string[]): Promise<LatestOrder[]> {
  const { workspaceId, mode } = tx.scope;
  return tx.sql.query(
    `SELECT k.external_id AS "externalId", k.order_id AS "orderId", k.member_id AS "memberId", f.*
       FROM (SELECT i.* FROM model.fact_ids AS i
              WHERE i.workspace_id = $1 AND i.mode = $2::platform."Mode" AND i.kind = 'ORDERS'
                AND i.external_id = ANY($3::text[]) ORDER BY i.external_id FOR NO KEY UPDATE) AS k
      CROSS JOIN LATERAL (
              SELECT o.occurred_at AS "occurredAt", o.amount_minor AS "amountMinor", o.currency, o.status,
                     o.recorded_at AS "recordedAt"
                FROM model.order_facts AS o
               WHERE o.workspace_id = $1 AND o.mode = $2::platform."Mode" AND o.member_id = k.member_id
                 AND o.order_id = k.order_id
               ORDER BY o.recorded_at DESC, o.id DESC LIMIT 1) AS f`,
    [workspaceId, mode, externalIds],
  );
}

/** Notes whose orders they are by now; lines that come later are of these members. */
export async function moveOrders(
  tx: Context,
  orders: readonly { readonly externalId: string; readonly memberId: string; readonly occurredAt: Date }[],
): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  await tx.sql.query(
    `UPDATE model.fact_ids AS k SET member_id = m.member_id, occurred_at = m.occurred_at
       FROM unnest($3::text[], $4::uuid[], $5::timestamptz[]) AS m(external_id, member_id, occurred_at)
      WHERE k.workspace_id = $1 AND k.mode = $2::platform."Mode" AND k.kind = 'ORDERS'
        AND k.external_id = m.external_id`,
    [
      workspaceId,
      mode,
      orders.map(({ externalId }) => externalId),
      orders.map(({ memberId }) => memberId),
      orders.map(({ occurredAt }) => occurredAt),
    ],
  );
}
