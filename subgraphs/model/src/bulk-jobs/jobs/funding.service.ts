import { systemCaller } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { publishProgress } from '@loyalty/platform/live/snapshots/publish-progress';
import { rates } from '../../credits/wallet/rates.ts';
import { spendable } from '../../credits/wallet/spendable.ts';
import { getWallet } from '../../credits/wallet/wallet.service.ts';
import { SMALL_CHUNK_SIZE } from './bulk-job.ts';
import { BULK_CHUNKS_CHANNEL } from './bulk-jobs.events.ts';
import { BULK_JOB_NOUN } from './job-stops.service.ts';
import { findUnfundedJobs, markResumed } from './transitions.store.ts';

/** Credits that the state of one member costs at most. */
export const MEMBER_CREDITS_MAX = 3 * rates.score;

/**
 * Lets jobs of all workspaces go on that wait for credits, once the wallet can pay for a small chunk, or for
 * all members that are left.
 *
 * @remarks Source: model API, section 7; requirement M-BLK-18
 */
export async function resumeFundedJobs(ctx: Context): Promise<void> {
  for (const { id, membersLeft, ...scope } of await findUnfundedJobs(ctx)) {
    const own = ctx.as(systemCaller('bulk-refresh', scope));
    const members = Math.max(1, Math.min(membersLeft ?? SMALL_CHUNK_SIZE, SMALL_CHUNK_SIZE));
    if (spendable(await getWallet(own)) < members * MEMBER_CREDITS_MAX) continue;
    if (!(await markResumed(own, id, 'INSUFFICIENT_CREDITS'))) continue;
    publishProgress(own, BULK_JOB_NOUN, id);
    await ctx.services.live.publish(BULK_CHUNKS_CHANNEL, id);
  }
}
