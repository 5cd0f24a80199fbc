import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import { memberUpdated } from '../members/members.events.ts';
import { moves } from './member-status.moves.ts';
import { touchMember } from './member-status.store.ts';

/**
 * Records an activity of a member, in the transaction of the activity: the 365 days until a member becomes
 * inactive start again, and a pending or inactive member becomes active. The points ledger does this in its
 * own statement.
 *
 * @param at - time of the activity. Default: now
 * @returns false for members that are erased, being erased, or unknown: nothing is recorded then
 * @remarks Source: requirements L-MEM-22
 */
export async function recordActivity(
  tx: Context,
  memberId: string,
  at: Date = tx.clock.now(),
): Promise<boolean> {
  const before = await touchMember(tx, memberId, at, moves.BE_ACTIVE.from);
  if (!before) return false;
  const isMoved = moves.BE_ACTIVE.from.some((status) => status === before);
  if (isMoved) await publish(tx, memberUpdated, { memberId, fields: ['status'] });
  return true;
}
