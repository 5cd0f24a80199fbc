import { systemCaller } from '@loyalty/platform/base/caller';
import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { checkText } from '@loyalty/platform/base/input';
import { inFuture } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { publishAll } from '@loyalty/platform/work/events';
import { memberUpdated } from '../members/members.events.ts';
import { getMember, lockMembersForUpdate, type Member, unmasked } from '../members/members.service.ts';
import { getTierRule, publishTierChanges, recalculateMembers } from './recalculate-members.service.ts';
import { endOverrides, overridesDue, setOverride } from './tier-overrides.store.ts';
import { findTier } from './tiers.service.ts';

const REASON_LENGTH_MAX = 500;

interface OverrideTier {
  readonly memberId: string;
  readonly tierId: string;
  /** The tier stays until then, regardless of the member's points. */
  readonly until: Date;
  readonly reason: string;
}

/**
 * Sets a member's tier manually; until the given day neither points nor recalculations change it.
 *
 * @throws AppError MEMBER_NOT_FOUND, TIER_NOT_FOUND (404), VALIDATION_FAILED (400)
 */
export async function overrideTier(ctx: Context, override: OverrideTier): Promise<Member> {
  const { memberId, tierId, until } = override;
  const reason = checkText('reason', override.reason, REASON_LENGTH_MAX);
  if (until <= ctx.clock.now()) throw invalid('until', inFuture);
  return ctx.transaction(async (tx) => {
    if (!(await findTier(tx, tierId))) throw notFound('tier', tierId);
    const change = await setOverride(tx, memberId, tierId, until);
    if (!change) throw notFound('member', memberId);
    if (change.previousTierId !== tierId) await publishTierChanges(tx, [change]);
    await publishOverrides(tx, [memberId]);
    const before = { tierId: change.previousTierId };
    const after = { tierId, until: until.toISOString(), reason };
    await audit(tx, { action: 'overrideTier', resourceType: 'Member', resourceId: memberId, before, after });
    return unmasked(await getMember(tx, memberId));
  });
}

/**
 * Ends a manual tier: the member moves to the tier that its points reach.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), NO_TIER_OVERRIDE (409)
 */
export async function clearTierOverride(ctx: Context, memberId: string): Promise<Member> {
  return ctx.transaction(async (tx) => {
    const before = await getMember(tx, memberId);
    await lockMembersForUpdate(tx, [memberId]);
    if ((await endOverrides(tx, [memberId], null)).length === 0)
      throw conflict('NO_TIER_OVERRIDE', 'This member is in no tier set by hand. There is nothing to clear.');
    await recalculateMembers(tx, [memberId], { ...(await getTierRule(tx)), policy: 'TO_EARNED' });
    await publishOverrides(tx, [memberId]);
    const after = await getMember(tx, memberId);
    await audit(tx, {
      action: 'clearTierOverride',
      resourceType: 'Member',
      resourceId: memberId,
      before: { tierId: before.currentTierId },
      after: { tierId: after.currentTierId },
    });
    return unmasked(after);
  });
}

/**
 * Ends every due override of all workspaces: the members move to the tier that their points reach.
 *
 * @param chunkSize - members recalculated in one round
 * @returns the number of ended overrides
 */
export async function endDueOverrides(ctx: Context, chunkSize = 500): Promise<number> {
  let total = 0;
  for (;;) {
    const due = await overridesDue(ctx, chunkSize);
    const byScope = Map.groupBy(due, ({ workspaceId, mode }) => `${workspaceId} ${mode}`);
    for (const members of byScope.values()) {
      const own = ctx.as(systemCaller('end-tier-overrides', members[0]));
      total += await endOfOneScope(
        own,
        members.map(({ id }) => id),
      );
    }
    if (due.length < chunkSize) return total;
  }
}

const endOfOneScope = (ctx: Context, ids: readonly string[]): Promise<number> =>
  ctx.transaction(async (tx) => {
    await lockMembersForUpdate(tx, ids);
    const ended = await endOverrides(tx, ids, tx.clock.now());
    await recalculateMembers(tx, ended, { ...(await getTierRule(tx)), policy: 'TO_EARNED' });
    await publishOverrides(tx, ended);
    return ended.length;
  });

/** Published even if the tier is the same: that it is manual, or no longer manual, is a change, too. */
const publishOverrides = (tx: Context, memberIds: readonly string[]): Promise<void> =>
  publishAll(
    tx,
    memberUpdated,
    memberIds.map((memberId) => ({ memberId, fields: ['tierOverrideUntil'] })),
  );
