import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/work/events';
import { OPEN_STATUSES } from '../members/members.service.ts';
import { getProgram } from '../tiers/programs.service.ts';
import { getTierRule, recalculateMembers } from '../tiers/recalculate-members.service.ts';
import { tierUpgraded } from '../tiers/tiers.events.ts';
import { insertMany, insertManyPending, type ManyEntry } from './append-many.store.ts';
import { pointsAwarded } from './points.events.ts';

export type { ManyEntry };

/**
 * Appends one entry of positive points for each of many members, whose rows the caller's transaction has
 * locked, and publishes every award and every upgrade. Members who may not receive points, or have this entry
 * already, are left out.
 *
 * @returns the ids of the members who received points
 */
export async function appendMany(tx: Context, entries: readonly ManyEntry[]): Promise<string[]> {
  if (entries.length === 0) return [];
  const appended = await insertMany(tx, entries, OPEN_STATUSES);
  await publishAll(
    tx,
    pointsAwarded,
    appended.map(({ memberId, transactionId, amount }) => ({ memberId, transactionId, amount })),
  );
  const upgraded = appended.filter(({ tierId }) => tierId !== null);
  await publishAll(
    tx,
    tierUpgraded,
    upgraded.map(({ memberId, tierId, previousTierId }) => ({ memberId, tierId: tierId!, previousTierId })),
  );
  const ids = appended.map(({ memberId }) => memberId);
  const rule = await getTierRule(tx);
  if (rule.since) await recalculateMembers(tx, ids, { ...rule, policy: 'NONE' });
  return ids;
}

/** Like `appendMany`, but new points are pending if the programme has a pending period. */
export async function awardMany(tx: Context, entries: readonly ManyEntry[]): Promise<string[]> {
  const { pointsPendingDays } = await getProgram(tx);
  if (pointsPendingDays === null) return appendMany(tx, entries);
  const availableAt = addMs(tx.clock.now(), pointsPendingDays * DAY_MS);
  return insertManyPending(tx, entries, OPEN_STATUSES, availableAt);
}
