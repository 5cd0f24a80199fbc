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

/** The name of a bulk job in progress events. */
export const BULK_JOB_NOUN = 'bulkJob';

/** Runs the writes of a worker about a job in a transaction that a caller who stops the job waits for. */
export const writingJob = <T>(ctx: Context, write: (tx: Context) => Promise<T>): Promise<T> =>
  ctx.transaction(async (tx) => {
    await lockBulkWrites(tx, 'WRITES');
    return write(tx);
  });

/**
 * Pauses a job. After the commit nothing is written any more; the result of a running call of the model is
 * discarded.
 *
 * @returns false if it was neither queued nor running
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

/** Ends a job that has nothing left to do; has no effect on other jobs. */
export async function finishJob(ctx: Context, id: string): Promise<void> {
  if (!(await isIdle(ctx, id))) return;
  await ctx.transaction(async (tx) => {
    await lockJob(tx, id);
    if (await markCompleted(tx, id)) await publishFinished(tx, id);
  });
}

const IDLE_JOBS = 20;

/** Returns running jobs of any workspace that have nothing left to do. */
export const idleJobs = (ctx: Context) => findIdleJobs(ctx, IDLE_JOBS);

export const isFinished = ({ finishedAt }: BulkJob): boolean => finishedAt !== null;

/** Maximum credits for the state of one member. */
export const MEMBER_CREDITS_MAX = 3 * rates.score;

/**
 * Resumes jobs of all workspaces that wait for credits, as soon as the wallet can pay for a small chunk, or
 * for all remaining members.
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
