import { addMs, DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/outbox/events';
import { getProgram } from '../programs/programs.service.ts';
import { tierDowngraded, tierUpgraded } from '../tiers/tiers.events.ts';
import {
  lockMembers,
  type MemberRange,
  membersToMove,
  moveMembers,
  type TierMove,
  type TierRule,
} from './settle-tiers.store.ts';

export type { MemberRange, TierRule };

/** How many members a step of a recalculation moved. */
export interface Settled {
  readonly upgrades: number;
  readonly downgrades: number;
}

/** By what the programme judges a member's tier today; without a period nobody is lowered. */
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

/** Makes every other writer of these members wait until the transaction ends. */
export const holdMembers = (tx: Context, ids: readonly string[]): Promise<void> => lockMembers(tx, ids);

/**
 * Puts members into the tiers where they should be and tells each crossing once. The caller's transaction
 * holds the members' rows, so that what they earned is known for sure.
 */
export async function settleMembers(tx: Context, ids: readonly string[], rule: TierRule): Promise<Settled> {
  return tellMoves(tx, ids.length > 0 ? await moveMembers(tx, ids, rule) : []);
}

/** Tells what became of members' tiers, each crossing by one event. */
export async function tellMoves(tx: Context, moves: readonly TierMove[]): Promise<Settled> {
  const up = moves.filter(({ isUpgrade }) => isUpgrade);
  const down = moves.filter(({ isUpgrade }) => !isUpgrade);
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

/** Settles the members of a range in the caller's transaction; only those who would move are held. */
export async function settleRange(tx: Context, range: MemberRange, rule: TierRule): Promise<Settled> {
  const ids = await membersToMove(tx, range, rule);
  if (ids.length === 0) return { upgrades: 0, downgrades: 0 };
  await lockMembers(tx, ids);
  return settleMembers(tx, ids, rule);
}

/** Settles the members of a range in a transaction of its own. */
export const liftMembersBetween = (ctx: Context, range: MemberRange, rule: TierRule): Promise<Settled> =>
  ctx.transaction((tx) => settleRange(tx, range, rule));
