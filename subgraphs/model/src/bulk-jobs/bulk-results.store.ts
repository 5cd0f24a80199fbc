import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

export type BulkResultStatus = 'SUCCEEDED' | 'UNAVAILABLE' | 'FAILED';

export interface BulkResult {
  readonly memberId: string;
  readonly status: BulkResultStatus;
  readonly attempts: number;
  readonly errorCode: string | null;
  readonly updatedAt: Date;
}

/** Returns the next results of a job, sorted by member. */
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

interface IdRange {
  readonly fromId: string;
  readonly toId: string;
}

const CHUNKS_AT_ONCE = 10_000;

/** Whether a job of any workspace, with an id from `fromId` to before `toId`, had not ended at `before`. */
export async function hasKeptJobs(ctx: Context, { fromId, toId }: IdRange, before: Date): Promise<boolean> {
  const found = await ctx.sql.query(
    `/* every workspace */ SELECT FROM model.bulk_jobs
      WHERE id >= $1 AND id < $2 AND (finished_at IS NULL OR finished_at > $3) LIMIT 1`,
    [fromId, toId, before],
  );
  return found.length > 0;
}

/** Deletes the chunks of these jobs, of any workspace, in batches, so that locks are short. */
export async function deleteChunksOfDay(ctx: Context, { fromId, toId }: IdRange): Promise<void> {
  let deleted: number;
  do {
    const rows = await ctx.sql.query(
      `/* every workspace */ DELETE FROM model.bulk_chunks
        WHERE ctid = ANY(ARRAY(SELECT ctid FROM model.bulk_chunks
                                WHERE job_id >= $1 AND job_id < $2 LIMIT ${CHUNKS_AT_ONCE}))
       RETURNING 1`,
      [fromId, toId],
    );
    deleted = rows.length;
  } while (deleted === CHUNKS_AT_ONCE);
}
