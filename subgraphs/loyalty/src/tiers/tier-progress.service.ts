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
  /** Points. */
  readonly pointsEarnedInPeriod: bigint;
  /** Points; null where there is no higher tier. */
  readonly pointsToNext: bigint | null;
  readonly projectedTierId: string | null;
}

/**
 * How far a member is from the next tier, and where a recalculation would put it now; members load together.
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

/** Until when a member's tier is one set by hand; null where it is not. */
export const findOverrideEnd = (ctx: Context, memberId: string): Promise<Date | null> =>
  ctx.load(overrideByMember, memberId);
