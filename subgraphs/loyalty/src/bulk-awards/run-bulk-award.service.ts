import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { refreshStatistics } from '@loyalty/platform/database/analyze-tables';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { lockMembersForUpdate, OPEN_STATUSES } from '../members/members.service.ts';
import { awardMany } from '../points/append-many.service.ts';
import {
  advanceBulkAward,
  type BulkAward,
  finishBulkAward,
  lockBulkAward,
  nextTargets,
} from './bulk-awards.store.ts';

const CHUNK = 1_000;
const LEDGER_TABLES = ['loyalty.members', 'loyalty.points_entries', 'loyalty.point_lots'];

/**
 * Runs a bulk award from its checkpoint to its end. Each step is one transaction of awards, events and
 * checkpoint, so a crash loses nothing and a second run awards nothing twice; concurrent runs take turns.
 *
 * @param chunkSize - members in one transaction
 */
export async function runBulkAward(ctx: Context, id: string, chunkSize = CHUNK): Promise<void> {
  let isOver = false;
  while (!isOver) {
    ctx.request.signal.throwIfAborted();
    await refreshStatistics(ctx, LEDGER_TABLES);
    isOver = await ctx.transaction(async (tx) => {
      const award = await lockBulkAward(tx, id);
      if (!award) return true;
      const memberIds = await nextMembers(tx, award, chunkSize);
      if (memberIds.length === 0) return complete(tx, id);
      await awardChunk(tx, award, memberIds);
      publishProgress(tx, 'bulkAward', id);
      return false;
    });
  }
}

async function complete(tx: Context, id: string): Promise<boolean> {
  publishEnd(tx, 'bulkAward', id);
  return (await finishBulkAward(tx, id, 'COMPLETED')) !== null;
}

async function nextMembers(tx: Context, award: BulkAward, count: number): Promise<string[]> {
  const { memberIds, afterId } = award;
  if (memberIds.length === 0) return nextTargets(tx, award, OPEN_STATUSES, count);
  return memberIds.filter((id) => id > afterId).slice(0, count);
}

async function awardChunk(tx: Context, award: BulkAward, memberIds: readonly string[]): Promise<void> {
  const { id, amount, description, actor } = award;
  await lockMembersForUpdate(tx, memberIds);
  const entries = memberIds.map((memberId) => ({
    id: newId(tx.clock),
    memberId,
    kind: 'AWARD' as const,
    amount,
    description,
    actor,
    source: `bulk-award:${id}:${memberId}`,
  }));
  const awarded = await awardMany(tx, entries);
  await advanceBulkAward(tx, id, {
    afterId: memberIds.at(-1)!,
    succeeded: awarded.length,
    failed: memberIds.length - awarded.length,
  });
}
