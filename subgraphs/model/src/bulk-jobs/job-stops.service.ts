import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { publish } from '@loyalty/platform/work/events';
import { rates } from '../credits/charges.ts';
import { getWallet, spendable } from '../credits/wallet.service.ts';
import { type BulkJob, type BulkPauseReason, processedOf, SMALL_CHUNK_SIZE } from './bulk-job.ts';
import { BULK_CHUNKS_CHANNEL, bulkJobFinished } from './bulk-jobs.events.ts';
import { findBulkJob } from './bulk-jobs.store.ts';
import {
  findIdleJobs,
  findUnfundedJobs,
  isIdle,
  lockBulkWrites,
  lockJob,
  markCompleted,
  markPaused,
  markResumed,
} from './transitions.store.ts';

export { lockBulkWrites };

/** As events name what a bulk job's watchers watch. */
export const BULK_JOB_NOUN = 'bulkJob';

/** Runs what a worker writes about a job in a transaction that whoever stops the job waits for. */
export const writingJob = <T>(ctx: Context, write: (tx: Context) => Promise<T>): Promise<T> =>
  ctx.transaction(async (tx) => {
    await lockBulkWrites(tx, 'WRITES');
    return write(tx);
  });

/**
 * Pauses a job. Once it is committed nothing is written any more; a call of the model that is under way may
 * finish for nothing.
 *
 * @returns false when it neither was queued nor ran
 */
export const stopJob = (ctx: Context, id: string, reason: BulkPauseReason): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    await lockBulkWrites(tx, 'STOPS');
    const isPaused = await markPaused(tx, id, reason);
    if (isPaused) publishProgress(tx, BULK_JOB_NOUN, id);
    return isPaused;
  });

/** Publishes that a job has ended, in the transaction that ends it. */
export async function publishFinished(tx: Context, id: string): Promise<void> {
  const job = (await findBulkJob(tx, id))!;
  const { succeeded, unavailable, failed } = job;
  const status = job.status as 'COMPLETED' | 'COMPLETED_WITH_ERRORS' | 'CANCELLED';
  const counts = { processed: processedOf(job), succeeded, unavailable, failed };
  await publish(tx, bulkJobFinished, { bulkJobId: id, status, ...counts });
  publishEnd(tx, BULK_JOB_NOUN, id);
}

/** Ends a job that has nothing left to do; any other stays as it is. */
export async function finishJob(ctx: Context, id: string): Promise<void> {
  if (!(await isIdle(ctx, id))) return;
  await ctx.transaction(async (tx) => {
    await lockJob(tx, id);
    if (await markCompleted(tx, id)) await publishFinished(tx, id);
  });
}

const IDLE_JOBS = 20;

/** Jobs of any workspace that run and have nothing left to do. */
export const idleJobs = (ctx: Context) => findIdleJobs(ctx, IDLE_JOBS);

export const isFinished = ({ finishedAt }: BulkJob): boolean => finishedAt !== null;

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
