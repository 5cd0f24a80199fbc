import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { MemberVisits } from '#generated/schema';

/**
 * Coupons of the members, those of captures with a member's address, too. A capture of a member whose address
 * changed since is found by the member.
 */
const ofMembers = `
  SELECT c.member_id, c.id, c.pool_id, c.status, c.issued_at, c.redeemed_at FROM loyalty.coupons AS c
   WHERE ${inScope('c')} AND c.member_id = ANY($3::uuid[])
   UNION
  SELECT a.member_id, c.id, c.pool_id, c.status, c.issued_at, c.redeemed_at
    FROM (SELECT a.member_id, a.id FROM loyalty.captures AS a
           WHERE ${inScope('a')} AND a.member_id = ANY($3::uuid[])
           UNION
          SELECT m.id, a.id FROM loyalty.members AS m
            JOIN loyalty.captures AS a ON ${inScope('a')} AND a.email_index = m.email_index
           WHERE ${inScope('m')} AND m.id = ANY($3::uuid[])) AS a
    JOIN loyalty.coupons AS c ON ${inScope('c')} AND c.capture_id = a.id`;

const VISITS = `WITH coupons AS MATERIALIZED (
    ${ofMembers}
  ), visits AS MATERIALIZED (
    SELECT member_id, id, store_id, visited_at FROM loyalty.store_visits
     WHERE ${inScope()} AND member_id = ANY($3::uuid[])
  ), found AS (
    SELECT member_id, 'VISIT' AS kind, visited_at AS at, id, store_id AS place_id FROM visits
     UNION ALL
    SELECT member_id, 'COUPON_ISSUED', issued_at, id, pool_id FROM coupons WHERE issued_at IS NOT NULL
     UNION ALL
    SELECT member_id, 'COUPON_REDEEMED', redeemed_at, id, pool_id FROM coupons WHERE redeemed_at IS NOT NULL
  ), listed AS (
    SELECT member_id, jsonb_agg(jsonb_build_object('kind', kind, 'at', at, 'id', id, 'placeId', place_id)
                                ORDER BY at, id, kind) AS occurrences
      FROM found WHERE at > $4 GROUP BY member_id
  ), visited AS (
    SELECT member_id, count(*)::int AS visits, max(visited_at) AS last_at FROM visits GROUP BY member_id
  ), open AS (
    SELECT c.member_id, count(*)::int AS coupons FROM coupons AS c
      JOIN loyalty.coupon_pools AS p ON p.workspace_id = $1 AND p.id = c.pool_id
     WHERE c.status = 'ISSUED' AND p.codes_voided_at IS NULL GROUP BY c.member_id
  )
  SELECT w.id AS member_id, coalesce(visited.visits, 0) AS visit_count, visited.last_at AS last_visit_at,
         coalesce(open.coupons, 0) AS open_coupons, coalesce(listed.occurrences, '[]') AS occurrences
    FROM unnest($3::uuid[]) AS w(id)
    LEFT JOIN visited ON visited.member_id = w.id
    LEFT JOIN open ON open.member_id = w.id
    LEFT JOIN listed ON listed.member_id = w.id`;

/** Visits and coupons of members, those since a time listed: one statement for all. */
export async function visitsOfMembers(
  ctx: Context,
  ids: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, MemberVisits>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.sql.query<MemberVisits & { readonly memberId: string }>(VISITS, [
    ...scopeOf(ctx),
    ids,
    since,
  ]);
  return new Map(rows.map(({ memberId, ...visits }) => [memberId, visits]));
}
