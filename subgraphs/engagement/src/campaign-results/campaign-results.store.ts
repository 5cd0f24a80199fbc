import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** The fields of a campaign that its results depend on. */
export interface MeasuredCampaign {
  readonly id: string;
  /** The source of its messages and revenue: the campaign, or its journey. */
  readonly sourceId: string;
  readonly attributionDays: number;
  readonly holdOutPercent: number;
  readonly variantKeys: readonly string[];
}

export const measuredCampaigns = (ctx: Context, ids: readonly string[]): Promise<MeasuredCampaign[]> =>
  ctx.sql.query(
    `SELECT id, coalesce(journey_id, id) AS source_id, attribution_days, hold_out_percent,
            ARRAY(SELECT v->>'key' FROM jsonb_array_elements(variants) WITH ORDINALITY AS e(v, place)
                   ORDER BY place) AS variant_keys
       FROM engagement.campaigns WHERE ${inScope()} AND id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );

/** The members of a variant who are held out, or those who are not. */
export interface AssignedGroup {
  readonly campaignId: string;
  readonly variant: string;
  readonly isHeldOut: boolean;
  /** Members whose message was due by now, or would have been due. */
  readonly members: number;
  /** Members who ordered within the window after the due time, and their orders. */
  readonly converted: number;
  readonly orders: number;
  /** Latest due time, including members who are still waiting. */
  readonly lastDueAt: Date;
}

/**
 * Counts the members of each variant and hold-out group, and the members who ordered. The window is the same
 * for both groups. Each order looks up its member by the key: OFFSET 0 enforces this plan while PostgreSQL
 * has few statistics.
 */
export const assignedGroups = (ctx: Context, campaignIds: readonly string[]): Promise<AssignedGroup[]> =>
  ctx.sql.query(
    `WITH bought AS MATERIALIZED (
       SELECT a.source_id AS campaign_id, r.variant, r.state = 'HELD_OUT' AS is_held_out,
              count(*) AS orders
         FROM engagement.attributed_orders AS a
        CROSS JOIN LATERAL (
              SELECT r.variant, r.state, r.due_at FROM engagement.campaign_recipients AS r
               WHERE ${inScope('r')} AND r.campaign_id = a.source_id AND r.member_id = a.member_id
              OFFSET 0) AS r
        CROSS JOIN LATERAL (
              SELECT c.attribution_days * interval '24 hours' AS length FROM engagement.campaigns AS c
               WHERE ${inScope('c')} AND c.id = a.source_id OFFSET 0) AS span
        WHERE ${inScope('a')} AND a.source_id = ANY($3::uuid[]) AND r.due_at <= $4
          AND a.ordered_at >= r.due_at AND a.ordered_at < r.due_at + span.length
        GROUP BY a.source_id, r.variant, r.state = 'HELD_OUT', a.member_id
     ), counted AS (
       SELECT r.campaign_id, r.variant, r.state = 'HELD_OUT' AS is_held_out,
              count(*) FILTER (WHERE r.due_at <= $4) AS members, 0 AS converted, 0 AS orders,
              max(r.due_at) AS last_due_at
         FROM engagement.campaign_recipients AS r
        WHERE ${inScope('r')} AND r.campaign_id = ANY($3::uuid[])
        GROUP BY r.campaign_id, r.variant, r.state = 'HELD_OUT'
       UNION ALL
       SELECT campaign_id, variant, is_held_out, 0, count(*), sum(orders), NULL
         FROM bought GROUP BY campaign_id, variant, is_held_out
     )
     SELECT campaign_id, variant, is_held_out, sum(members)::int AS members,
            sum(converted)::int AS converted, sum(orders)::int AS orders, max(last_due_at) AS last_due_at
       FROM counted GROUP BY campaign_id, variant, is_held_out`,
    [...scopeOf(ctx), campaignIds, ctx.clock.now()],
  );

/** The orders of a source by last touch, by variant and currency. */
export interface LastTouchOrders {
  readonly sourceId: string;
  readonly variant: string | null;
  readonly currency: string;
  readonly orders: number;
  readonly revenueMinor: bigint;
}

export const lastTouchOrders = (ctx: Context, sourceIds: readonly string[]): Promise<LastTouchOrders[]> =>
  ctx.sql.query(
    `SELECT source_id, variant, currency, count(*)::int AS orders,
            least(sum(revenue_minor), 9223372036854775807)::bigint AS revenue_minor
       FROM engagement.attributed_orders
      WHERE ${inScope()} AND source_id = ANY($3::uuid[]) AND is_last_touch
      GROUP BY source_id, variant, currency`,
    [...scopeOf(ctx), sourceIds],
  );
