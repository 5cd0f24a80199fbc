import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/work/events';
import { endOfChunk, lockMembersForUpdate } from '../members/members.service.ts';
import { getProgram } from './programs.service.ts';
import {
  changeTiers,
  type MemberRange,
  membersToMove,
  type TierChange,
  type TierRule,
} from './recalculate-members.store.ts';
import { tierDowngraded, tierUpgraded } from './tiers.events.ts';

/** The numbers of members that a step of a recalculation moved. */
interface TierChangeCounts {
  readonly upgrades: number;
  readonly downgrades: number;
}

/** Returns the programme's rule for tiers as of today; without a period nobody is downgraded. */
export async function getTierRule(ctx: Context): Promise<TierRule> {
  const { tierBasis, tierPeriodDays, downgradePolicy } = await getProgram(ctx);
  if (tierPeriodDays === null) return { since: null, policy: 'NONE', stepBefore: null };
  const periodAgo = addMs(ctx.clock.now(), -tierPeriodDays * DAY_MS);
  return {
    since: tierBasis === 'ROLLING' ? periodAgo : null,
    policy: downgradePolicy,
    stepBefore: periodAgo,
  };
}

/**
 * Moves members to the tiers where they should be and publishes each change once. The caller's transaction
 * has locked the members' rows, so that no points are added meanwhile.
 */
export async function recalculateMembers(
  tx: Context,
  ids: readonly string[],
  rule: TierRule,
): Promise<TierChangeCounts> {
  return publishTierChanges(tx, ids.length > 0 ? await changeTiers(tx, ids, rule) : []);
}

/** Publishes one event for each member whose tier changed. */
export async function publishTierChanges(
  tx: Context,
  changes: readonly TierChange[],
): Promise<TierChangeCounts> {
  const up = changes.filter(({ isUpgrade }) => isUpgrade);
  const down = changes.filter(({ isUpgrade }) => !isUpgrade);
  await publishAll(
    tx,
    tierUpgraded,
    up.map(({ memberId, tierId, previousTierId }) => ({ memberId, tierId: tierId!, previousTierId })),
  );
  await publishAll(
    tx,
    tierDowngraded,
    down.map(({ memberId, tierId, previousTierId }) => ({
      memberId,
      tierId,
      previousTierId: previousTierId!,
    })),
  );
  return { upgrades: up.length, downgrades: down.length };
}

/** Recalculates the members of a range in the caller's transaction; only members who will move are locked. */
export async function recalculateRange(
  tx: Context,
  range: MemberRange,
  rule: TierRule,
): Promise<TierChangeCounts> {
  const ids = await membersToMove(tx, range, rule);
  if (ids.length === 0) return { upgrades: 0, downgrades: 0 };
  await lockMembersForUpdate(tx, ids);
  return recalculateMembers(tx, ids, rule);
}

/**
 * Upgrades every member of the workspace and mode who earned enough for a higher tier; nobody is downgraded.
 *
 * @param chunkSize - members read in one transaction
 */
export async function upgradeMembers(ctx: Context, chunkSize = 5_000): Promise<void> {
  const rule = { ...(await getTierRule(ctx)), policy: 'NONE' } as const;
  let afterId = NO_ID;
  for (;;) {
    const toId = await endOfChunk(ctx, afterId, chunkSize);
    if (!toId) return;
    const range = { afterId, toId };
    await ctx.transaction((tx) => recalculateRange(tx, range, rule));
    afterId = toId;
  }
}
