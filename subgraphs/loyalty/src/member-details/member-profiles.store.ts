import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { MemberProfile, MemberVisits } from '#generated/schema';
import type { Consent } from '../consents/consents.store.ts';
import type { DowngradePolicy } from '../tiers/programs.service.ts';

/** A profile as it is stored, before it is decrypted. */
export type MemberProfileRow = Omit<
  MemberProfile,
  'birthday' | 'timeZone' | 'consents' | 'visits' | 'pointsEarned'
> & {
  readonly keySealed: Uint8Array | null;
  readonly birthSealed: Uint8Array | null;
  readonly ownTimeZone: string | null;
  readonly decided: readonly Pick<Consent, 'purpose' | 'isGranted'>[];
  readonly pointsEarned: bigint;
};

/** How the programme's tiers lapse with time. */
export interface TierLapse {
  /** Days of the rolling period; null if all points count. */
  readonly rollingDays: number | null;
  readonly policy: DowngradePolicy;
}

/**
 * The oldest entry without which the later ones no longer reach the tier: when it leaves the period, the tier
 * is lost. Minus infinity if even all entries do not reach it. `$3` is the length of the period in days.
 */
const entryLapse = `coalesce((
  SELECT e.earned_at + $3::int * interval '1 day'
    FROM (SELECT e.earned_at, sum(e.earned) OVER newest AS with_it,
                 sum(e.earned) OVER newest - sum(e.earned) OVER same AS later
            FROM loyalty.points_entries AS e
           WHERE ${inScope('e')} AND e.member_id = m.id AND e.earned <> 0
          WINDOW newest AS (ORDER BY e.earned_at DESC), same AS (PARTITION BY e.earned_at)) AS e
   WHERE e.with_it >= t.upgrade_threshold AND e.later < t.upgrade_threshold
   ORDER BY e.earned_at LIMIT 1), '-infinity')`;

/** Time at which the points alone no longer reach the tier; null if time does not change that. */
const pointsLapse = `SELECT CASE WHEN t.id IS NULL OR t.upgrade_threshold <= 0 THEN NULL
    WHEN $3::int IS NOT NULL THEN ${entryLapse}
    WHEN m.points_earned < t.upgrade_threshold THEN '-infinity'::timestamptz END AS at`;

/**
 * Time at which the tier is lost: a manual tier at its end, regardless of the policy; another one by the
 * policy of the programme, `$4`, like recalculate-members.store.ts.
 */
const tierLapsesAt = `CASE
    WHEN m.tier_override_until IS NOT NULL AND lapse.at <= m.tier_override_until THEN m.tier_override_until
    WHEN $3::int IS NULL OR lapse.at IS NULL OR $4::text = 'NONE' THEN NULL
    WHEN $4::text = 'ONE_STEP'
      THEN greatest(lapse.at, m.tier_changed_at + $3::int * interval '1 day', m.created_at)
    ELSE greatest(lapse.at, m.tier_changed_at, m.created_at) END`;

const profiles = (where: string): string =>
  `SELECT m.id AS member_id, m.status, m.enrollment_source, m.is_restricted,
          m.email_index IS NOT NULL AS has_email, m.locale, m.time_zone AS own_time_zone, m.home_store_id,
          m.key_sealed, m.birth_sealed, m.created_at, m.last_activity_at, m.custom_attributes,
          ARRAY(SELECT g.key FROM loyalty.member_tags AS h
                  JOIN loyalty.tags AS g
                    ON g.workspace_id = h.workspace_id AND g.mode = h.mode AND g.id = h.tag_id
                 WHERE ${inScope('h')} AND h.member_id = m.id ORDER BY g.key) AS tags,
          coalesce((SELECT jsonb_agg(jsonb_build_object('purpose', c.purpose, 'isGranted', c.is_granted))
                      FROM loyalty.member_consents AS c
                     WHERE ${inScope('c')} AND c.member_id = m.id), '[]') AS decided, t.id AS tier_id,
          t.rank AS tier_rank, m.tier_changed_at,
          ${tierLapsesAt} AS tier_lapses_at, m.points_balance, m.points_earned,
          (SELECT min(l.expires_at) FROM loyalty.point_lots AS l
            WHERE ${inScope('l')} AND l.member_id = m.id AND l.remaining > 0 AND l.available_at IS NULL)
            AS points_expire_at
     FROM loyalty.members AS m
     LEFT JOIN loyalty.tiers AS t ON t.workspace_id = m.workspace_id AND t.id = m.current_tier_id
    CROSS JOIN LATERAL (${pointsLapse}) AS lapse
    WHERE ${inScope('m')} AND m.status <> 'DELETED' AND ${where}`;

const byId = profiles('m.id = ANY($5::uuid[])');

const after = profiles('m.id > $5 ORDER BY m.id LIMIT $6');

const paramsOf = (ctx: Context, { rollingDays, policy }: TierLapse): unknown[] => [
  ...scopeOf(ctx),
  rollingDays,
  policy,
];

/** Returns members that are not erased: one statement for all. */
export const findProfileRows = (
  ctx: Context,
  ids: readonly string[],
  lapse: TierLapse,
): Promise<MemberProfileRow[]> => ctx.sql.query<MemberProfileRow>(byId, [...paramsOf(ctx, lapse), ids]);

/** Returns the next members, sorted by id. */
export const profileRowsAfter = (
  ctx: Context,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
  lapse: TierLapse,
): Promise<MemberProfileRow[]> =>
  ctx.sql.query<MemberProfileRow>(after, [...paramsOf(ctx, lapse), afterId, limit]);

/**
 * Coupons of the members, including those of captures with a member's address. A capture of a member whose
 * address has changed since is found by its link to the member.
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

/** Returns visits and coupons of members, with a list of those since a time: one statement for all. */
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
