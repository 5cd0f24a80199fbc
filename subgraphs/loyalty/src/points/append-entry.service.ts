import { conflict, notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import { memberUpdated } from '../members/members.events.ts';
import { getTierRule, recalculateMembers } from '../tiers/recalculate-members.service.ts';
import { tierUpgraded } from '../tiers/tiers.events.ts';
import { spendLots, storePending } from './point-lots.service.ts';
import { type Appended, appendEntry, type NewEntry, type PointsTransaction } from './points.store.ts';

/**
 * Appends an entry in the caller's transaction, and publishes its other effects. If the programme has a
 * pending period for awarded points, the returned entry is pending, too: it has `availableAt` and has changed
 * no balance.
 *
 * @param lotId - the lot from which points are taken first, before those that expire soonest
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_CLOSED, INSUFFICIENT_POINTS, BALANCE_LIMIT (409)
 */
export async function append(tx: Context, change: NewEntry, lotId?: string): Promise<PointsTransaction> {
  const { memberId } = change;
  const appended = await appendEntry(tx, change);
  if (!appended || appended.status === 'DELETED') throw notFound('member', memberId);
  const { status, pendingDays } = appended;
  const isPending = pendingDays !== null && change.allowedStatuses.includes(status);
  const entry = isPending ? await storePending(tx, change, pendingDays) : appended.entry;
  if (!entry) throw refusal(appended, change);
  if (entry.amount < 0) await spendLots(tx, memberId, -entry.amount, lotId);
  if (!isPending) await publishUpgrade(tx, change, appended);
  if (change.activates.includes(status)) await publish(tx, memberUpdated, { memberId, fields: ['status'] });
  return entry;
}

/**
 * If all points ever earned count, the entry's own statement upgraded the member. Points of a rolling period
 * are summed here, after that statement has locked the member.
 */
async function publishUpgrade(
  tx: Context,
  { memberId, earned }: NewEntry,
  appended: Appended,
): Promise<void> {
  const { tierId, previousTierId, isRolling } = appended;
  if (tierId) await publish(tx, tierUpgraded, { memberId, tierId, previousTierId });
  if (isRolling && earned > 0)
    await recalculateMembers(tx, [memberId], { ...(await getTierRule(tx)), policy: 'NONE' });
}

function refusal({ status }: Appended, { allowedStatuses, amount }: NewEntry): Error {
  if (!allowedStatuses.includes(status)) {
    return conflict('MEMBER_CLOSED', "This member's erasure is pending. Cancel it before points can move.");
  }
  if (amount < 0)
    return conflict('INSUFFICIENT_POINTS', 'The member has fewer points than that. Take away less.');
  return conflict('BALANCE_LIMIT', 'The balance would exceed 2,147,483,647 points. Award less.');
}
