import type { Context } from '@loyalty/platform/context';
import { inScope } from '@loyalty/platform/database/scope-sql';

/** First and last day, YYYY-MM-DD. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

export interface Counts {
  readonly ambassadors: number;
  readonly codesIssued: number;
  readonly codesRedeemed: number;
  readonly referredMembers: number;
  /** Members referred in the period who ordered by its end. */
  readonly referredBuyers: number;
  readonly referredOrders: number;
}

/** Counts of one period in one statement, so that they are consistent. */
const COUNT = `
WITH span AS (
  SELECT $3::text::date::timestamp AT TIME ZONE $5 AS since,
         ($4::text::date + 1)::timestamp AT TIME ZONE $5 AS until),
codes AS (
  SELECT count(DISTINCT c.member_id)::int AS ambassadors,
         count(*) FILTER (WHERE c.created_at >= span.since)::int AS issued
    FROM loyalty.ambassador_codes AS c CROSS JOIN span
   WHERE ${inScope('c')} AND c.created_at < span.until
     AND (c.deactivated_at IS NULL OR c.deactivated_at >= span.since)),
brought AS (
  SELECT count(*)::int AS members, count(DISTINCT r.code_id)::int AS codes,
         count(*) FILTER (WHERE EXISTS (
           SELECT 1 FROM loyalty.referred_orders AS o
            WHERE o.workspace_id = r.workspace_id AND o.mode = r.mode AND o.member_id = r.member_id
              AND o.created_at < span.until))::int AS buyers
    FROM loyalty.referrals AS r CROSS JOIN span
   WHERE ${inScope('r')}
     AND r.created_at >= span.since AND r.created_at < span.until),
orders AS (
  SELECT count(*)::int AS orders FROM loyalty.referred_orders AS o CROSS JOIN span
   WHERE ${inScope('o')}
     AND o.created_at >= span.since AND o.created_at < span.until)
SELECT codes.ambassadors, codes.issued AS codes_issued, brought.codes AS codes_redeemed,
       brought.members AS referred_members, brought.buyers AS referred_buyers,
       orders.orders AS referred_orders
  FROM codes CROSS JOIN brought CROSS JOIN orders`;

/** @param timeZone - IANA name of the time zone of the period's days */
export async function countPeriod(ctx: Context, { from, to }: Period, timeZone: string): Promise<Counts> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<Counts>(COUNT, [workspaceId, mode, from, to, timeZone]);
  return row!;
}
