import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { PublishedEvent } from '@loyalty/platform/work/events';

/** Attribution window of journeys and automations, in days. Campaigns have their own. */
const ATTRIBUTION_DAYS_DEFAULT = 7;

/**
 * Inserts the orders of members who received a message of a campaign, journey or automation within the
 * maximum window, or are in the audience of a campaign, even if held out. Both are found by member, with an
 * index.
 */
export async function insertRelevantOrders(
  tx: Context,
  events: readonly PublishedEvent[],
  since: Date,
): Promise<boolean> {
  const rows = await tx.sql.query(
    `INSERT INTO engagement.orders_to_attribute (workspace_id, mode, id, order_id, created_at)
     SELECT e.workspace_id, e.mode, e.id, (e.payload->>'orderId')::uuid, e.created_at
       FROM unnest($1::uuid[], $2::platform."Mode"[], $3::uuid[], $4::jsonb[], $5::timestamptz[])
         AS e(workspace_id, mode, id, payload, created_at)
      CROSS JOIN LATERAL (
            (SELECT FROM engagement.messages AS m
              WHERE m.workspace_id = e.workspace_id AND m.mode = e.mode
                AND m.member_id = (e.payload->>'memberId')::uuid
                AND m.source_kind IS NOT NULL AND coalesce(m.sent_at, m.created_at) >= $6 LIMIT 1)
            UNION ALL
            (SELECT FROM engagement.campaign_recipients AS r
              WHERE r.workspace_id = e.workspace_id AND r.mode = e.mode
                AND r.member_id = (e.payload->>'memberId')::uuid AND r.due_at >= $6 LIMIT 1)
            LIMIT 1) AS concern
     ON CONFLICT (workspace_id, mode, id) DO NOTHING
     RETURNING 1`,
    [
      ...arraysOf(events, 'workspaceId', 'mode', 'id'),
      events.map(({ payload }) => JSON.stringify(payload)),
      events.map(({ createdAt }) => createdAt),
      since,
    ],
  );
  return rows.length > 0;
}

/** Returns workspaces and modes with waiting orders, with one index access for each. */
export const waitingScopes = (ctx: Context, size: number): Promise<Scope[]> =>
  ctx.sql.query<Scope>(
    `/* every workspace */ WITH RECURSIVE scopes AS (
       (SELECT workspace_id, mode FROM engagement.orders_to_attribute ORDER BY workspace_id, mode LIMIT 1)
       UNION ALL
       SELECT next.workspace_id, next.mode
         FROM scopes AS s CROSS JOIN LATERAL (
              SELECT o.workspace_id, o.mode FROM engagement.orders_to_attribute AS o
               WHERE (o.workspace_id, o.mode) > (s.workspace_id, s.mode)
               ORDER BY o.workspace_id, o.mode LIMIT 1) AS next
     )
     SELECT workspace_id, mode FROM scopes ORDER BY random() LIMIT $1`,
    [size],
  );

/**
 * Locks the attribution of the workspace and mode until the transaction ends. Returns false if another
 * transaction holds the lock.
 */
export async function tryLockAttribution(tx: Context): Promise<boolean> {
  const [row] = await tx.sql.query<{ isMine: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended('engagement.attribution:' || $1 || $2, 0))
              AS is_mine`,
    [...scopeOf(tx)],
  );
  return row!.isMine;
}

/** Deletes and returns the orders that have waited longest. An order is repeated for each of its events. */
export async function takeOrders(tx: Context, size: number): Promise<string[]> {
  const rows = await tx.sql.query<{ orderId: string }>(
    `DELETE FROM engagement.orders_to_attribute
      WHERE ${inScope()} AND id = ANY(ARRAY(
            SELECT id FROM engagement.orders_to_attribute WHERE ${inScope()} ORDER BY id LIMIT $3))
     RETURNING order_id`,
    [...scopeOf(tx), size],
  );
  return rows.map(({ orderId }) => orderId);
}

/** A current order that counts. */
export interface CountedOrder {
  readonly id: string;
  readonly memberId: string;
  readonly orderedAt: Date;
  readonly currency: string;
  /** Amount minus refunds. */
  readonly revenueMinor: bigint;
}

/** Updates the revenue of attributed orders. */
export async function updateRevenue(tx: Context, orders: readonly CountedOrder[]): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.attributed_orders AS a SET revenue_minor = o.revenue
       FROM unnest($3::uuid[], $4::bigint[]) AS o(id, revenue)
      WHERE ${inScope('a')} AND a.order_id = ANY($3::uuid[]) AND a.order_id = o.id
        AND a.revenue_minor <> o.revenue`,
    [...scopeOf(tx), orders.map(({ id }) => id), orders.map(({ revenueMinor }) => revenueMinor)],
  );
}

/** Deletes the attributions of orders that no longer count. */
export async function deleteAttributions(tx: Context, orderIds: readonly string[]): Promise<void> {
  await tx.sql.query(
    `DELETE FROM engagement.attributed_orders WHERE ${inScope()} AND order_id = ANY($3::uuid[])`,
    [...scopeOf(tx), orderIds],
  );
}

/** SQL of messages that were sent to the members of `given`, within the window before each order. */
const sentSql = `SELECT g.*, m.source_id, m.variant, false AS is_held_out, m.touched_at, m.id
         FROM given AS g
        CROSS JOIN LATERAL (
              SELECT m.id, m.source_id, m.source_kind, m.variant,
                     coalesce(m.sent_at, m.created_at) AS touched_at
                FROM engagement.messages AS m
               WHERE ${inScope('m')} AND m.member_id = g.member_id AND m.source_kind IS NOT NULL
                 AND m.status IN ('SENT', 'DELIVERED', 'COMPLAINED', 'SIMULATED')
              OFFSET 0) AS m
         LEFT JOIN LATERAL (
              SELECT c.attribution_days FROM engagement.campaigns AS c
               WHERE m.source_kind = 'CAMPAIGN' AND ${inScope('c')} AND c.id = m.source_id
              OFFSET 0) AS c ON true
        WHERE m.touched_at <= g.ordered_at
          AND g.ordered_at < m.touched_at + coalesce(c.attribution_days, $8::int) * interval '24 hours'`;

/** SQL of campaigns with members of `given` in their audience and the order in their window. */
const windowSql = `SELECT g.*, r.campaign_id, r.variant, r.state = 'HELD_OUT', r.due_at, NULL
         FROM given AS g
        CROSS JOIN LATERAL (
              SELECT * FROM engagement.campaign_recipients AS r
               WHERE ${inScope('r')} AND r.member_id = g.member_id OFFSET 0) AS r
        CROSS JOIN LATERAL (
              SELECT c.attribution_days FROM engagement.campaigns AS c
               WHERE ${inScope('c')} AND c.id = r.campaign_id OFFSET 0) AS c
        WHERE r.due_at <= g.ordered_at
          AND g.ordered_at < r.due_at + c.attribution_days * interval '24 hours'`;

/**
 * Attributes orders: inserts a row for each source that sent the member a message within its window before
 * the order, and for each campaign whose window contains the order. The window of held-out members begins as
 * for the others. The latest message is the last touch. Existing attributions do not change. OFFSET 0 makes
 * PostgreSQL look up each member, whatever its statistics say.
 */
export async function insertAttributions(tx: Context, orders: readonly CountedOrder[]): Promise<void> {
  await tx.sql.query(
    `WITH given AS MATERIALIZED (
       SELECT * FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[], $6::text[], $7::bigint[])
         AS g(order_id, member_id, ordered_at, currency, revenue)
     ), found AS (
       ${sentSql}
       UNION ALL
       ${windowSql}
     ), ranked AS (
       SELECT *, id IS NOT NULL AND row_number() OVER (
                PARTITION BY order_id ORDER BY id IS NULL, touched_at DESC, id DESC) = 1 AS is_last
         FROM found
     )
     INSERT INTO engagement.attributed_orders
            (workspace_id, mode, order_id, source_id, variant, member_id, is_held_out, is_last_touch,
             ordered_at, currency, revenue_minor)
     SELECT $1, $2::platform."Mode", order_id, source_id,
            (array_agg(variant ORDER BY is_last DESC, touched_at DESC))[1], member_id, bool_or(is_held_out),
            bool_or(is_last), ordered_at, currency, revenue
       FROM ranked GROUP BY order_id, source_id, member_id, ordered_at, currency, revenue
     ON CONFLICT (workspace_id, mode, order_id, source_id) DO NOTHING`,
    [
      ...scopeOf(tx),
      ...arraysOf(orders, 'id', 'memberId', 'orderedAt', 'currency', 'revenueMinor'),
      ATTRIBUTION_DAYS_DEFAULT,
    ],
  );
}

export const attributionsOfMember = (ctx: Context, memberId: string): Promise<Record<string, unknown>[]> =>
  ctx.sql.query(
    `SELECT order_id, source_id, ordered_at, is_last_touch, is_held_out
       FROM engagement.attributed_orders WHERE ${inScope()} AND member_id = $3 ORDER BY order_id, source_id`,
    [...scopeOf(ctx), memberId],
  );

/** Deletes the attributions of a member. */
export async function deleteOfMember(ctx: Context, memberId: string): Promise<void> {
  await ctx.sql.query(`DELETE FROM engagement.attributed_orders WHERE ${inScope()} AND member_id = $3`, [
    ...scopeOf(ctx),
    memberId,
  ]);
}
