import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { refreshStatistics } from '@loyalty/platform/database/analyze-tables';
import { publishAll } from '@loyalty/platform/work/events';
import { lockMembersForUpdate, OPEN_STATUSES } from '../members/members.service.ts';
import { appendMany } from './append-many.service.ts';
import {
  type Due,
  type DueLot,
  dropLotsOfErased,
  expireLots,
  lotsDue,
  lotsToRelease,
  markReleased,
  scopesDue,
} from './due-lots.store.ts';
import { pointsExpired } from './points.events.ts';

const CHUNK = 500;

/**
 * Debits expired points of all workspaces: one entry and one event for each member. Points that expire first
 * are spent first, so the rest of a lot was not spent. Points of a member whose erasure is pending are not
 * debited until the erasure is cancelled or done.
 *
 * @param chunkSize - lots in one transaction
 * @returns the number of entries
 */
export const expirePoints = (ctx: Context, chunkSize = CHUNK): Promise<number> =>
  inDueScopes(ctx, 'EXPIRED', (own) => round(own, 'EXPIRED', chunkSize, expireChunk));

/**
 * Books pending points of all workspaces whose pending period is over. They keep their ids.
 *
 * @param chunkSize - lots in one transaction
 * @returns the number of entries
 */
export const releasePoints = (ctx: Context, chunkSize = CHUNK): Promise<number> =>
  inDueScopes(ctx, 'AVAILABLE', async (own) => {
    let total = 0;
    for (;;) {
      // Each member gets one entry per round; a member with more lots gets the next one in the next round.
      const released = await round(own, 'AVAILABLE', chunkSize, releaseChunk);
      if (released === 0) return total;
      total += released;
    }
  });

async function inDueScopes(ctx: Context, due: Due, run: (own: Context) => Promise<number>): Promise<number> {
  let total = 0;
  await refreshStatistics(ctx, ['loyalty.members', 'loyalty.points_entries', 'loyalty.point_lots']);
  for (const scope of await scopesDue(ctx, due)) {
    const own = ctx.as(systemCaller(due === 'EXPIRED' ? 'expire-points' : 'release-points', scope));
    total += await run(own);
  }
  return total;
}

/**
 * Processes all due lots once; lots of members who cannot receive or lose points now stay for a later run.
 */
async function round(
  ctx: Context,
  due: Due,
  chunkSize: number,
  run: (tx: Context, memberIds: readonly string[]) => Promise<number>,
): Promise<number> {
  let total = 0;
  let after: DueLot | null = null;
  for (;;) {
    const lots: DueLot[] = await lotsDue(ctx, due, [...OPEN_STATUSES, 'DELETED'], {
      after,
      count: chunkSize,
    });
    const memberIds = [...new Set(lots.map(({ memberId }) => memberId))].sort();
    if (lots.length > 0) {
      total += await ctx.transaction(async (tx) => {
        await lockMembersForUpdate(tx, memberIds);
        await dropLotsOfErased(tx, memberIds);
        return run(tx, memberIds);
      });
    }
    if (lots.length < chunkSize) return total;
    after = lots.at(-1)!;
  }
}

async function expireChunk(tx: Context, memberIds: readonly string[]): Promise<number> {
  const expired = await expireLots(tx, memberIds, OPEN_STATUSES);
  await publishAll(tx, pointsExpired, expired);
  return expired.length;
}

async function releaseChunk(tx: Context, memberIds: readonly string[]): Promise<number> {
  const lots = await lotsToRelease(tx, memberIds);
  const released = new Set(await appendMany(tx, lots));
  await markReleased(
    tx,
    lots.filter(({ memberId }) => released.has(memberId)).map(({ id }) => id),
  );
  return released.size;
}
