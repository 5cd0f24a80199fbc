import type { Context } from '@loyalty/platform/context';
import { whenAvailable } from '@loyalty/platform/database/when-available';
import { publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { isGivenUp, WORKER_LOST } from '@loyalty/platform/work/lost-workers';
import { questions } from '../peers.ts';
import { CHUNK_SIZE } from './bulk-job.ts';
import { BULK_CHUNKS_CHANNEL } from './bulk-jobs.events.ts';
import { type ClaimedScan, insertChunks, releaseScan } from './claims.store.ts';
import { BULK_JOB_NOUN, finishJob, stopJob } from './job-stops.service.ts';

/** Chunks per turn. */
const RANGES = 10;
const UNAVAILABLE_DELAY_SECONDS = 5;

/**
 * Divides the next members of a job into chunks, sorted by id. If two workers were lost with a job, it
 * pauses; after it is resumed, it is tried again.
 *
 * @param ctx - a system caller, in the workspace of the job
 * @remarks Source: model API, section 2 "Bulk job"; requirement M-BLK-04
 */
export async function scanJob(ctx: Context, scan: ClaimedScan): Promise<void> {
  const { afterId, jobId, sourceCutoff: createdBy } = scan;
  if (isGivenUp(scan)) {
    ctx.log.error({ bulkJobId: jobId, reason: WORKER_LOST }, 'the scan of a bulk job was given up');
    await stopJob(ctx, jobId, 'MODEL_SERVICE_UNAVAILABLE');
    return;
  }
  try {
    const wanted = { afterId, createdBy, size: CHUNK_SIZE, ranges: RANGES };
    const answer = await ctx.services.peers.ask(ctx, 'loyalty', questions.MemberRanges, wanted);
    const ranges = answer._memberRanges;
    const isAdded = await insertChunks(ctx, scan, ranges);
    if (isAdded) {
      publishProgress(ctx, BULK_JOB_NOUN, jobId);
      await ctx.services.live.publish(BULK_CHUNKS_CHANNEL, jobId);
    }
    if (isAdded && ranges.isLast) await finishJob(ctx, jobId);
  } catch (error) {
    await whenAvailable(() => releaseScan(ctx, scan, UNAVAILABLE_DELAY_SECONDS), ctx.request.signal);
    throw error;
  }
}
