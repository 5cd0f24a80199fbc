import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { tierReached } from '../members/member-sql.ts';
import type { DowngradePolicy } from './programs.service.ts';

/** The rule that determines a member's tier. */
export interface TierRule {
  /** Points earned since then count; null for all. */
  readonly since: Date | null;
  readonly policy: DowngradePolicy;
  /** Members who came into their tier later are not downgraded yet. */
  readonly stepBefore: Date | null;
}

/** Members whose ids are greater than `afterId`, up to `toId`. */
export interface MemberRange {
  readonly afterId: string;
  readonly toId: string;
}

/** The members of a statement. */
type Selection = MemberRange | readonly string[];

/**
 * Returns the common table expressions `facts` (the points that each member earned) and `plan` (the tier of
 * each member), with their parameters: `$1` is the workspace, `$2` the mode and `$3` now. A manual tier stays
 * until its end. This determines every tier of a recalculation; awards upgrade at once by `tierUpgrade`, and
 * overrides set a tier manually.
 *
 * The SQL contains only the expressions that the rule needs: with parameters that select expressions,
 * PostgreSQL would plan again on each call.
 */
function planned(ctx: Context, selection: Selection, { since, policy, stepBefore }: TierRule) {
  const params: unknown[] = [...scopeOf(ctx), ctx.clock.now()];
  const parameter = (value: unknown) => `$${params.push(value)}`;
  const selected =
    'toId' in selection
      ? `m.id > ${parameter(selection.afterId)} AND m.id <= ${parameter(selection.toId)}`
      : `m.id = ANY(${parameter(selection)}::uuid[])`;
  const earned = since
    ? `greatest(0, (SELECT coalesce(sum(e.earned), 0) FROM loyalty.points_entries AS e
                     WHERE ${inScope('e')}
                       AND e.member_id = m.id AND e.earned <> 0 AND e.earned_at > ${parameter(since)}))`
    : 'm.points_earned';
  const steps = {
    NONE: () => '',
    TO_EARNED: () => 'WHEN coalesce(r.rank, -1) < f.rank THEN r.id',
    ONE_STEP: () => `
              WHEN coalesce(r.rank, -1) < f.rank
                   AND coalesce(f.tier_changed_at <= ${parameter(stepBefore)}::timestamptz, true)
                THEN (SELECT t.id FROM loyalty.tiers AS t WHERE t.workspace_id = $1 AND t.rank < f.rank
                       ORDER BY t.rank DESC LIMIT 1)`,
  };
  const sql = `
facts AS MATERIALIZED (
  SELECT m.id, m.current_tier_id, m.tier_changed_at, m.tier_override_until, coalesce(c.rank, -1) AS rank,
         ${earned} AS earned
    FROM loyalty.members AS m
    LEFT JOIN loyalty.tiers AS c ON c.workspace_id = m.workspace_id AND c.id = m.current_tier_id
   WHERE ${inScope('m')} AND m.status <> 'DELETED' AND ${selected}
), plan AS (
  SELECT f.id, f.current_tier_id, f.rank, f.earned,
         CASE WHEN f.tier_override_until > $3::timestamptz THEN f.current_tier_id
              WHEN coalesce(r.rank, -1) > f.rank THEN r.id
              ${steps[policy]()}
              ELSE f.current_tier_id END AS tier_id
    FROM facts AS f
    LEFT JOIN LATERAL (${tierReached('f.earned')}) AS r ON true
)`;
  return { sql, params };
}

/** Returns members of a range who would be in another tier, in lock order. */
export async function membersToMove(ctx: Context, range: MemberRange, rule: TierRule): Promise<string[]> {
  const { sql, params } = planned(ctx, range, rule);
  const rows = await ctx.sql.query<{ id: string }>(
    `WITH ${sql} SELECT id FROM plan WHERE tier_id IS DISTINCT FROM current_tier_id ORDER BY id`,
    params,
  );
  return rows.map(({ id }) => id);
}

/** Number of members of a range that change from one tier to another, or stay. */
export interface TierFlow {
  readonly fromId: string | null;
  readonly toId: string | null;
  readonly isUpgrade: boolean;
  readonly members: number;
}

export async function tierFlows(ctx: Context, range: MemberRange, rule: TierRule): Promise<TierFlow[]> {
  const { sql, params } = planned(ctx, range, rule);
  return ctx.sql.query<TierFlow>(
    `WITH ${sql}
     SELECT plan.current_tier_id AS from_id, plan.tier_id AS to_id,
            coalesce(t.rank, -1) > plan.rank AS is_upgrade, count(*)::int AS members
       FROM plan LEFT JOIN loyalty.tiers AS t ON t.workspace_id = $1 AND t.id = plan.tier_id
      GROUP BY 1, 2, 3`,
    params,
  );
}

/** A member whose tier changed. */
export interface TierChange {
  readonly memberId: string;
  readonly tierId: string | null;
  readonly previousTierId: string | null;
  readonly isUpgrade: boolean;
}

/** Moves members, whose rows the caller has locked, to the tiers where they should be. */
export async function changeTiers(
  ctx: Context,
  ids: readonly string[],
  rule: TierRule,
): Promise<TierChange[]> {
  const { sql, params } = planned(ctx, ids, rule);
  return ctx.sql.query<TierChange>(
    `WITH ${sql}, moved AS (
       UPDATE loyalty.members AS m SET current_tier_id = plan.tier_id, tier_changed_at = $3
         FROM plan
        WHERE ${inScope('m')} AND m.id = plan.id
          AND plan.tier_id IS DISTINCT FROM plan.current_tier_id
       RETURNING m.id, m.current_tier_id AS tier_id, plan.current_tier_id AS previous_id, plan.rank
     )
     SELECT moved.id AS member_id, moved.tier_id, moved.previous_id AS previous_tier_id,
            coalesce(t.rank, -1) > moved.rank AS is_upgrade
       FROM moved LEFT JOIN loyalty.tiers AS t ON t.workspace_id = $1 AND t.id = moved.tier_id
      ORDER BY moved.id`,
    params,
  );
}

/** The points that a member earned in the period, and its tier after a recalculation. */
interface TierProjection {
  readonly earned: bigint;
  readonly projectedTierId: string | null;
}

/**
 * Keys are text, because a loader needs equal keys for equal requests; all keys of one request have the same
 * rule.
 */
export const projectionKey = (memberId: string, rule: TierRule): string =>
  JSON.stringify([memberId, rule.since, rule.policy, rule.stepBefore]);

export const projectionByKey = loader(async (ctx, keys: readonly string[]) => {
  const wanted = keys.map(
    (key) => JSON.parse(key) as [string, string | null, TierRule['policy'], string | null],
  );
  const [, since, policy, stepBefore] = wanted[0]!;
  const rule = {
    since: since ? new Date(since) : null,
    policy,
    stepBefore: stepBefore ? new Date(stepBefore) : null,
  };
  const { sql, params } = planned(
    ctx,
    wanted.map(([id]) => id),
    rule,
  );
  const rows = await ctx.sql.query<TierProjection & { id: string }>(
    `WITH ${sql} SELECT id, earned::bigint AS earned, tier_id AS projected_tier_id FROM plan`,
    params,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    keys.flatMap((key, index) => {
      const found = byId.get(wanted[index]![0]);
      return found ? [[key, found] as const] : [];
    }),
  );
});
