import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** Sets the hold-out of a campaign. */
export const holdOut = (ctx: Context, campaignId: string, percent: number): Promise<unknown> =>
  ctx.sql.query(`UPDATE engagement.campaigns SET hold_out_percent = $4 WHERE ${inScope()} AND id = $3`, [
    ...scopeOf(ctx),
    campaignId,
    percent,
  ]);

/** An attributed order. Default: now, amount zero. */
export interface GivenAttributed {
  readonly memberId: string;
  readonly variant?: string;
  readonly isHeldOut?: boolean;
  readonly isLastTouch?: boolean;
  readonly orderedAt?: Date;
  readonly revenueMinor?: number;
}

/** Inserts orders that are attributed to a campaign. */
export const givenAttributed = (
  ctx: Context,
  sourceId: string,
  orders: readonly GivenAttributed[],
): Promise<unknown> =>
  ctx.sql.query(
    `INSERT INTO engagement.attributed_orders
            (workspace_id, mode, order_id, source_id, variant, member_id, is_held_out, is_last_touch,
             ordered_at, currency, revenue_minor)
     SELECT $1, $2::platform."Mode", gen_random_uuid(), $3, o.variant, o.member_id, o.is_held_out, o.is_last,
            o.ordered_at, 'EUR', o.revenue
       FROM unnest($4::uuid[], $5::text[], $6::boolean[], $7::boolean[], $8::timestamptz[], $9::bigint[])
         AS o(member_id, variant, is_held_out, is_last, ordered_at, revenue)`,
    [
      ...scopeOf(ctx),
      sourceId,
      orders.map(({ memberId }) => memberId),
      orders.map(({ variant = 'a' }) => variant),
      orders.map(({ isHeldOut = false }) => isHeldOut),
      orders.map(({ isLastTouch = false }) => isLastTouch),
      orders.map(({ orderedAt = ctx.clock.now() }) => orderedAt),
      orders.map(({ revenueMinor = 0 }) => revenueMinor),
    ],
  );
