import type { Context } from '@loyalty/platform/context';
import type { Member } from '../members/members.service.ts';
import { getTierRule } from './recalculate-members.service.ts';
import { projectionByKey, projectionKey } from './recalculate-members.store.ts';
import { overrideByMember } from './tier-overrides.store.ts';
import { loadTiers } from './tiers.service.ts';

/** A member's progress between two tiers. */
export interface TierProgress {
  readonly tierId: string | null;
  readonly nextTierId: string | null;
  /** In points. */
  readonly pointsEarnedInPeriod: bigint;
  /** In points; null if there is no higher tier. */
  readonly pointsToNext: bigint | null;
  readonly projectedTierId: string | null;
}

/**
 * Returns a member's distance to the next tier, and its tier after a recalculation now. Batched by member.
 */
export async function getTierProgress(ctx: Context, member: Member): Promise<TierProgress> {
  const rule = await getTierRule(ctx);
  const [tiers, projection] = await Promise.all([
    loadTiers(ctx),
    ctx.load(projectionByKey, projectionKey(member.id, rule)),
  ]);
  const earned = projection?.earned ?? 0n;
  const rank = tiers.find(({ id }) => id === member.currentTierId)?.rank ?? -1;
  const next = tiers.find((tier) => tier.rank > rank) ?? null;
  const missing = next ? BigInt(next.upgradeThreshold) - earned : null;
  return {
    tierId: member.currentTierId,
    nextTierId: next?.id ?? null,
    pointsEarnedInPeriod: earned,
    pointsToNext: missing !== null && missing < 0n ? 0n : missing,
    projectedTierId: projection?.projectedTierId ?? null,
  };
}

/** Returns the end of a member's manual tier; null without one. */
export const findOverrideEnd = (ctx: Context, memberId: string): Promise<Date | null> =>
  ctx.load(overrideByMember, memberId);
