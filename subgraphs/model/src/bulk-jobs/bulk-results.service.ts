import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { AppError } from '@loyalty/platform/base/errors';
import { firstIdAt } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import {
  createDayPartition,
  dropDayPartition,
  midnight,
  partitionDays,
} from '@loyalty/platform/database/day-partitions';
import { type MemberPageArgs, memberPage, type NextPage } from '../members/member-pages.ts';
import { refusedConsumers } from '../members/members.service.ts';
import type { BulkJob } from './bulk-job.ts';
import {
  type BulkResult,
  type BulkResultStatus,
  deleteChunksOfDay,
  hasKeptJobs,
  resultsAfter,
} from './bulk-results.store.ts';

const TABLE = 'model.bulk_results';

/** Retention of the results of single members after the end of their job. */
const DETAILS_MS = 7 * DAY_MS;

/**
 * Returns the time at which the results of a job's members are deleted; null while it is queued, running or
 * paused.
 */
export const detailsExpireAt = ({ finishedAt }: Pick<BulkJob, 'finishedAt'>): Date | null =>
  finishedAt && addMs(finishedAt, DETAILS_MS);

/** @throws AppError DETAILS_EXPIRED (410) seven days after the end of the job */
export function requireDetails(ctx: Context, job: BulkJob): void {
  const expiresAt = detailsExpireAt(job);
  if (!expiresAt || expiresAt > ctx.clock.now()) return;
  throw new AppError(
    'GONE',
    'DETAILS_EXPIRED',
    'Results of single members are deleted 7 days after the end of a job. Read the latest states instead.',
  );
}

/** Creates the partition for the results of a new job. */
export const prepareResults = (ctx: Context, jobId: string): Promise<void> =>
  createDayPartition(ctx, TABLE, midnight(dayOf(jobId)));

/** Returns the time in a UUIDv7. */
const dayOf = (id: string): Date => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));

/**
 * Drops the results of days whose jobs all ended more than 7 days ago, and deletes the chunks of these jobs.
 * Their counters remain.
 *
 * @remarks Source: model API, section 8; requirement M-BLK-19
 */
export async function dropExpiredResults(ctx: Context): Promise<void> {
  const before = addMs(ctx.clock.now(), -DETAILS_MS);
  for (const day of await partitionDays(ctx, TABLE)) {
    const ids = { fromId: firstIdAt(day), toId: firstIdAt(addMs(day, DAY_MS)) };
    if (day >= before || (await hasKeptJobs(ctx, ids, before))) continue;
    await deleteChunksOfDay(ctx, ids);
    await dropDayPartition(ctx, TABLE, day);
  }
}

export type BulkResultPage = NextPage<BulkResult>;

/**
 * Returns results of a job's members, sorted by id. Restricted members are left out, so a page may be short
 * although another follows.
 *
 * @throws AppError DETAILS_EXPIRED (410), VALIDATION_FAILED (400) for a page above 1,000 or a cursor of
 *   another list or filter, PEER_UNAVAILABLE (503)
 * @remarks Source: model API, section 4 "Bulk jobs"; requirements M-BLK-22 to M-BLK-24, M-STA-07
 */
export async function listResults(
  ctx: Context,
  job: BulkJob,
  { status, ...args }: MemberPageArgs & { readonly status?: BulkResultStatus | null | undefined },
): Promise<BulkResultPage> {
  requireDetails(ctx, job);
  const list = `${job.id}:${status ?? ''}`;
  const found = await memberPage(args, list, (page) =>
    resultsAfter(ctx, job.id, { status: status ?? null, ...page }),
  );
  const refused = await refusedConsumers(
    ctx,
    found.rows.map(({ memberId }) => memberId),
  );
  return { ...found, rows: found.rows.filter(({ memberId }) => !refused.has(memberId)) };
}
