import type { Context } from '@loyalty/platform/context';
import { refusedConsumers } from '../../members/consumers.ts';
import { type MemberPageArgs, memberPage, type NextPage } from '../../members/member-pages.ts';
import type { BulkJob } from '../jobs/bulk-job.ts';
import { requireDetails } from '../jobs/result-days.service.ts';
import { type BulkResult, type BulkResultStatus, resultsAfter } from './bulk-results.store.ts';

export type BulkResultPage = NextPage<BulkResult>;

/**
 * Results of a job's members, in the order of their ids. Restricted members are left out, so a page may hold
 * fewer than were wanted and yet have a next one.
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
