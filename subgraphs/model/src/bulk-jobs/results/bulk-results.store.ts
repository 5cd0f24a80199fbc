import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { NO_ID } from '@loyalty/platform/values/ids';

export type BulkResultStatus = 'SUCCEEDED' | 'UNAVAILABLE' | 'FAILED';

export interface BulkResult {
  readonly memberId: string;
  readonly status: BulkResultStatus;
  readonly attempts: number;
  readonly errorCode: string | null;
  readonly updatedAt: Date;
}

/** The next results of a job, in the order of members. */
export const resultsAfter = (
  ctx: Context,
  jobId: string,
  wanted: {
    readonly status: BulkResultStatus | null;
    readonly afterMemberId: string | null;
    readonly limit: number;
  },
): Promise<BulkResult[]> =>
  ctx.sql.query<BulkResult>(
    `SELECT member_id, status, attempts, error_code, updated_at
       FROM model.bulk_results
      WHERE ${inScope()} AND job_id = $3 AND member_id > $4
        ${wanted.status ? `AND status = '${wanted.status}'` : ''}
      ORDER BY member_id LIMIT $5`,
    [...scopeOf(ctx), jobId, wanted.afterMemberId ?? NO_ID, wanted.limit],
  );
