import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { anyOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope } from '@loyalty/platform/database/scope-sql';
import type { TierChange } from './recalculate-members.store.ts';

/** Loads the end of manual tiers, by member; members without one are absent. */
export const overrideByMember = loader(async (ctx, ids: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ id: string; until: Date }>(
    `SELECT id, tier_override_until AS until FROM loyalty.members
      WHERE ${inScope()} AND id = ${anyOf('$3::uuid[]')} AND tier_override_until IS NOT NULL`,
    [workspaceId, mode, ids],
  );
  const now = ctx.clock.now();
  return new Map(rows.filter(({ until }) => until > now).map(({ id, until }) => [id, until]));
});

/** Sets a member's tier manually; returns null if there is no such member. */
export async function setOverride(
  ctx: Context,
  memberId: string,
  tierId: string,
  until: Date,
): Promise<TierChange | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<TierChange>(
    `WITH before AS MATERIALIZED (
       SELECT m.id, m.current_tier_id FROM loyalty.members AS m
        WHERE ${inScope('m')} AND m.id = $3 AND m.status <> 'DELETED'
          FOR NO KEY UPDATE
     ), after AS (
       UPDATE loyalty.members AS m
          SET current_tier_id = $4::uuid, tier_override_until = $5::timestamptz,
              tier_changed_at = CASE WHEN before.current_tier_id IS DISTINCT FROM $4::uuid THEN
                $6::timestamptz
                                     ELSE m.tier_changed_at END
         FROM before
        WHERE ${inScope('m')} AND m.id = before.id
     )
     SELECT before.id AS member_id, $4::uuid AS tier_id, before.current_tier_id AS previous_tier_id,
            (SELECT t.rank FROM loyalty.tiers AS t WHERE t.workspace_id = $1 AND t.id = $4::uuid)
              > coalesce((SELECT t.rank FROM loyalty.tiers AS t
                           WHERE t.workspace_id = $1 AND t.id = before.current_tier_id), -1) AS is_upgrade
       FROM before`,
    [workspaceId, mode, memberId, tierId, until, ctx.clock.now()],
  );
  return row ?? null;
}

/** Ends the overrides of these members that end by `at`, or all of them if null; returns the members. */
export async function endOverrides(ctx: Context, ids: readonly string[], at: Date | null): Promise<string[]> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ id: string }>(
    `UPDATE loyalty.members SET tier_override_until = NULL
      WHERE ${inScope()} AND id = ANY($3::uuid[])
        AND tier_override_until IS NOT NULL AND ($4::timestamptz IS NULL OR tier_override_until <= $4)
     RETURNING id`,
    [workspaceId, mode, ids, at],
  );
  return rows.map(({ id }) => id);
}

/** Returns members of all workspaces whose override is due to end. */
export async function overridesDue(ctx: Context, count: number): Promise<(Scope & { id: string })[]> {
  return ctx.sql.query(
    `/* every workspace */ SELECT id, workspace_id, mode FROM loyalty.members
      WHERE tier_override_until <= $1 ORDER BY tier_override_until LIMIT $2`,
    [ctx.clock.now(), count],
  );
}
