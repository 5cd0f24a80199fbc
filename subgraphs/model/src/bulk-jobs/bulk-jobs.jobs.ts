import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { job } from '@loyalty/platform/work/jobs';
import { type Loop, loop } from '@loyalty/platform/work/loops';
import { claimWork } from '@loyalty/platform/work/lost-workers';
import { z } from 'zod';
import { BULK_CHUNKS_CHANNEL, BULK_JOBS_CHANNEL } from './bulk-jobs.events.ts';
import { dropExpiredResults } from './bulk-results.service.ts';
import { claimChunk, claimScan } from './claims.store.ts';
import { finishJob, idleJobs, resumeFundedJobs } from './job-stops.service.ts';
import { processChunk } from './process-chunk.service.ts';
import { scanJob } from './scan.service.ts';

/** Scheduled every minute, for all workspaces. */
export const resumeFundedJobsJob = job('model.resume-funded-bulk-jobs', z.object({}), resumeFundedJobs);

/** Scheduled every hour, for all workspaces. */
export const dropBulkResultsJob = job('model.drop-bulk-results', z.object({}), dropExpiredResults);

/** Concurrent calls of the model per worker. */
const CALLS_AT_ONCE = 2;

const IDLE_MS = 1_000;

/** 10,000 members per 50 ms are several times the processing rate, and requests do not wait for scans. */
const BETWEEN_SCANS_MS = 50;

const inScope = (ctx: Context, scope: Parameters<typeof systemCaller>[1]): Context =>
  ctx.as(systemCaller('bulk-refresh', scope));

/**
 * Processes the chunks of all bulk jobs, within the budget of calls that all workers share.
 *
 * @remarks Source: model API, section 8; requirements M-BLK-25, M-BLK-26
 */
export const processChunksLoop: Loop = loop('model.process-bulk-chunks', {
  places: CALLS_AT_ONCE,
  wakes: BULK_CHUNKS_CHANNEL,
  async turn(ctx) {
    const callsPerSecond = ctx.services.config.BULK_CALLS_PER_SECOND;
    let isWaiting = false;
    const { claimed, ended } = await claimWork(ctx.services, async (maySuspect) => {
      const claim = await claimChunk(ctx, callsPerSecond, maySuspect);
      isWaiting = claim.isWaiting;
      return claim.chunk ? [claim.chunk] : [];
    });
    const [chunk] = claimed;
    if (!chunk) return isWaiting ? Math.min(IDLE_MS, 1_000 / callsPerSecond) : IDLE_MS;
    await processChunk(inScope(ctx, chunk), chunk).finally(ended);
    return 0;
  },
});

/** Divides the members of bulk jobs into chunks, ahead of their processing, and ends finished jobs. */
export const scanBulkJobsLoop: Loop = loop('model.scan-bulk-jobs', {
  places: 1,
  wakes: BULK_JOBS_CHANNEL,
  async turn(ctx) {
    const { claimed, ended } = await claimWork(ctx.services, async (maySuspect) => {
      const scan = await claimScan(ctx, maySuspect);
      return scan ? [scan] : [];
    });
    const [scan] = claimed;
    if (scan) {
      await scanJob(inScope(ctx, scan), scan).finally(ended);
      return BETWEEN_SCANS_MS;
    }
    // Ends jobs whose worker died between their last write and their end.
    for (const job of await idleJobs(ctx)) await finishJob(inScope(ctx, job), job.id);
    return IDLE_MS;
  },
});
