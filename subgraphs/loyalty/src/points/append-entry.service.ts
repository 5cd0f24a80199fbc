import type { Context } from '@loyalty/platform/context';
import { conflict, notFound } from '@loyalty/platform/errors';
import { publish } from '@loyalty/platform/events';
import { memberUpdated } from '../members/members.events.ts';
import { tierUpgraded } from '../tiers/tiers.events.ts';
import { type Appended, appendEntry, type NewEntry, type PointsEntry } from './points.store.ts';

/** Members whose erasure is pending take no entries; erased ones do not exist. */
export const OPEN = ['PENDING', 'ACTIVE', 'UNSUBSCRIBED', 'INACTIVE'] as const;

/**
 * Appends an entry in the caller's transaction, and tells what it changed beside the balance.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_CLOSED, INSUFFICIENT_POINTS, BALANCE_LIMIT (409)
 */
export async function append(tx: Context, change: NewEntry): Promise<PointsEntry> {
  const { memberId } = change;
  const appended = await appendEntry(tx, change);
  if (!appended || appended.status === 'DELETED') throw notFound('member', memberId);
  const { entry, status, tierId, previousTierId } = appended;
  if (!entry) throw refusal(appended, change);
  if (tierId) await publish(tx, tierUpgraded, { memberId, tierId, previousTierId });
  if (change.activates.includes(status)) await publish(tx, memberUpdated, { memberId, fields: ['status'] });
  return entry;
}

function refusal({ status }: Appended, { takenIn, amount }: NewEntry): Error {
  if (!takenIn.includes(status)) {
    return conflict('MEMBER_CLOSED', "This member's erasure is pending. Cancel it before points can move.");
  }
  if (amount < 0)
    return conflict('INSUFFICIENT_POINTS', 'The member has fewer points than that. Take away less.');
  return conflict('BALANCE_LIMIT', 'The balance would exceed 2,147,483,647 points. Award less.');
}
