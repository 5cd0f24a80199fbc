import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/outbox/events';
import { memberUpdated } from '../members/members.events.ts';
import { touchMember } from './member-activity.store.ts';
import { moves } from './member-status.moves.ts';

/**
 * Notes that a member did something, in the transaction of what it did: its year without activity begins
 * anew, and who was pending or inactive is active. The ledger of points does this in its own statement.
 *
 * @param at - when it did; now unless told
 * @returns false for members that are erased, about to be, or unknown: nothing is noted
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
