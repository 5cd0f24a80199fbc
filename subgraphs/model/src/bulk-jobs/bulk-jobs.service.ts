import { type AppError, conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { lengthFrom1To } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { watchSnapshot } from '@loyalty/platform/subscriptions/watch-snapshot';
import {
  CURRENT_VERSION,
  isStandardVersion,
  STANDARD_VERSIONS,
  type StandardVersion,
} from '../standard-model/standard-versions.ts';
import type { BulkJob } from './bulk-job.ts';
import { BULK_CHUNKS_CHANNEL, BULK_JOBS_CHANNEL } from './bulk-jobs.events.ts';
import { bulkJobsPage, findBulkJob, findByKey, insertBulkJob } from './bulk-jobs.store.ts';
import { prepareResults, requireDetails } from './bulk-results.service.ts';
import { BULK_JOB_NOUN, isFinished, publishFinished, stopJob } from './job-stops.service.ts';
import {
  isSecondActive,
  lockBulkWrites,
  markCancelled,
  markResumed,
  markRetried,
} from './transitions.store.ts';

const JOBS_LISTED = 20;
const TEXT_MAX = 200;

/**
 * Starts a refresh of the states of all members. The same key, name and version return the job of the first
 * call.
 *
 * @throws AppError BULK_JOB_ACTIVE (409) while another job is queued, running or paused,
 *   IDEMPOTENCY_KEY_REUSED (409) for a key with another name or version, VALIDATION_FAILED (400)
 * @remarks Source: model API, section 4 "Bulk jobs"; requirements M-BLK-07 to M-BLK-09
 */
export async function createBulkJob(
  ctx: Context,
  input: {
    readonly name: string;
    readonly idempotencyKey: string;
    readonly modelVersion?: string | null | undefined;
  },
): Promise<{ readonly bulkJob: BulkJob; readonly reused: boolean }> {
  const name = textOf('input.name', input.name);
  const idempotencyKey = textOf('input.idempotencyKey', input.idempotencyKey);
  const wantedVersion = input.modelVersion ? versionOf(input.modelVersion) : null;
  const modelVersion = wantedVersion ?? CURRENT_VERSION;
  const id = newId(ctx.clock);
  await prepareResults(ctx, id);
  const isNew = await ctx.transaction(async (tx) => {
    const isInserted = await insertBulkJob(tx, { id, name, modelVersion, idempotencyKey });
    if (isInserted) await note(tx, 'createBulkJob', id, { name, modelVersion });
    return isInserted;
  });
  if (!isNew) return { bulkJob: await jobOfKey(ctx, { name, idempotencyKey, wantedVersion }), reused: true };
  await wakeWorkers(ctx, id);
  return { bulkJob: await getBulkJob(ctx, id), reused: false };
}

interface JobRequest {
  readonly name: string;
  readonly idempotencyKey: string;
  readonly wantedVersion: StandardVersion | null;
}

/** Returns the job of a key; a call without a version matches any version. */
async function jobOfKey(ctx: Context, { name, idempotencyKey, wantedVersion }: JobRequest): Promise<BulkJob> {
  const known = await findByKey(ctx, idempotencyKey);
  if (!known) throw secondActive();
  const isVersion = wantedVersion === null || wantedVersion === known.modelVersion;
  if (known.name === name && isVersion) return getBulkJob(ctx, known.id);
  throw conflict(
    'IDEMPOTENCY_KEY_REUSED',
    'The idempotency key belongs to a job of another name or model version. Choose another key.',
  );
}

function versionOf(text: string): StandardVersion {
  if (isStandardVersion(text)) return text;
  throw invalid('input.modelVersion', `must be ${STANDARD_VERSIONS.join(' or ')}`);
}

const secondActive = (): AppError =>
  conflict(
    'BULK_JOB_ACTIVE',
    'Another bulk job is queued, running or paused. Wait for its end, or cancel it.',
  );

function textOf(field: string, given: string): string {
  const text = given.trim();
  if (text.length < 1 || text.length > TEXT_MAX) throw invalid(field, lengthFrom1To(TEXT_MAX));
  return text;
}

/** Returns the job of this id, or null. */
export const bulkJobOrNull = (ctx: Context, id: string): Promise<BulkJob | null> => findBulkJob(ctx, id);

/**
 * Returns the job of this id.
 *
 * @throws AppError BULK_JOB_NOT_FOUND (404)
 */
export async function getBulkJob(ctx: Context, id: string): Promise<BulkJob> {
  const found = await findBulkJob(ctx, id);
  if (!found) throw notFound('bulk job', id);
  return found;
}

/**
 * Returns bulk jobs, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listBulkJobs = (ctx: Context, args: PageArgs): Promise<Page<BulkJob>> =>
  bulkJobsPage(ctx, pageRequest(args, JOBS_LISTED));

/** @throws AppError BULK_JOB_NOT_FOUND (404), BULK_JOB_STATE (409) unless it is queued or running */
export async function pauseBulkJob(ctx: Context, id: string): Promise<BulkJob> {
  return changedJob(ctx, 'pauseBulkJob', id, (tx) => stopJob(tx, id, 'REQUESTED'));
}

/** @throws AppError BULK_JOB_NOT_FOUND (404), BULK_JOB_STATE (409) unless it is paused */
export async function resumeBulkJob(ctx: Context, id: string): Promise<BulkJob> {
  const job = await changedJob(ctx, 'resumeBulkJob', id, async (tx) => {
    const isResumed = await markResumed(tx, id, null);
    if (isResumed) publishProgress(tx, BULK_JOB_NOUN, id);
    return isResumed;
  });
  await wakeWorkers(ctx, id);
  return job;
}

/** @throws AppError BULK_JOB_NOT_FOUND (404), BULK_JOB_STATE (409) once it has ended */
export async function cancelBulkJob(ctx: Context, id: string): Promise<BulkJob> {
  return changedJob(ctx, 'cancelBulkJob', id, async (tx) => {
    await lockBulkWrites(tx, 'STOPS');
    const isCancelled = await markCancelled(tx, id);
    if (isCancelled) await publishFinished(tx, id);
    return isCancelled;
  });
}

/**
 * @throws AppError BULK_JOB_NOT_FOUND (404), BULK_JOB_STATE (409) unless it was completed with errors,
 *   BULK_JOB_ACTIVE (409), DETAILS_EXPIRED (410)
 */
export async function retryBulkJob(ctx: Context, id: string): Promise<BulkJob> {
  requireDetails(ctx, await getBulkJob(ctx, id));
  const job = await changedJob(ctx, 'retryBulkJob', id, async (tx) => {
    const isRetried = await markRetried(tx, id);
    if (isRetried) publishProgress(tx, BULK_JOB_NOUN, id);
    return isRetried;
  }).catch((error: unknown) => {
    throw isSecondActive(error) ? secondActive() : error;
  });
  await wakeWorkers(ctx, id);
  return job;
}

const pastTense: Readonly<Record<string, string>> = {
  pauseBulkJob: 'paused',
  resumeBulkJob: 'resumed',
  cancelBulkJob: 'cancelled',
  retryBulkJob: 'retried',
};

async function changedJob(
  ctx: Context,
  action: string,
  id: string,
  change: (tx: Context) => Promise<boolean>,
): Promise<BulkJob> {
  return ctx.transaction(async (tx) => {
    const isChanged = await change(tx);
    const job = await getBulkJob(tx, id);
    if (!isChanged) throw wrongState(job, pastTense[action]!);
    await note(tx, action, id, { status: job.status });
    return job;
  });
}

const wrongState = ({ status }: BulkJob, done: string): AppError =>
  conflict('BULK_JOB_STATE', `A bulk job that is ${status.toLowerCase()} cannot be ${done}.`);

const note = (tx: Context, action: string, id: string, after: object): Promise<void> =>
  audit(tx, { action, resourceType: 'BulkJob', resourceId: id, after: { ...after } });

async function wakeWorkers({ services: { live } }: Context, id: string): Promise<void> {
  await Promise.all([live.publish(BULK_JOBS_CHANNEL, id), live.publish(BULK_CHUNKS_CHANNEL, id)]);
}

/**
 * Yields the job now and after each change, until it has ended.
 *
 * @throws AppError BULK_JOB_NOT_FOUND (404)
 */
export async function watchBulkJob(ctx: Context, id: string): Promise<AsyncIterableIterator<BulkJob>> {
  await getBulkJob(ctx, id);
  return watchSnapshot<BulkJob>(ctx, {
    noun: BULK_JOB_NOUN,
    id,
    read: (reading) => findBulkJob(reading, id),
    isEnded: isFinished,
  });
}
