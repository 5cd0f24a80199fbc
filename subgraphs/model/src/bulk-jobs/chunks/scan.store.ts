import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { MemberRangesFragment } from '#generated/peers';
import type { ClaimedScan } from './claims.store.ts';

/**
 * Adds a chunk for each range and moves the job's scan on, in one statement. False when the claim was lost or
 * the job does not run: then nothing changes.
 */
export async function insertChunks(
  ctx: Context,
  { jobId, token, afterId }: ClaimedScan,
  { toIds, members, isLast }: MemberRangesFragment,
): Promise<boolean> {
  const rows = await ctx.sql.query(
    `WITH job AS (
       UPDATE model.bulk_jobs AS j
          SET scanned_to_id = $5, scanned = j.scanned + $6, is_scanned = $7, scan_due_at = now(),
              scan_claims = 0,
              chunks = j.chunks + cardinality($8::uuid[])
        WHERE ${inScope('j')} AND j.id = $3 AND j.scan_token = $4 AND j.status = 'RUNNING'
          AND NOT j.is_scanned
       RETURNING j.chunks - cardinality($8::uuid[]) AS chunks
     ), added AS (
       INSERT INTO model.bulk_chunks (workspace_id, mode, job_id, number, after_id, to_id, due_at)
       SELECT $1, $2::platform."Mode", $3, job.chunks + part.number,
              lag(part.to_id, 1, $9::uuid) OVER (ORDER BY part.number), part.to_id, now()
         FROM job CROSS JOIN unnest($8::uuid[]) WITH ORDINALITY AS part (to_id, number)
     )
     SELECT FROM job`,
    [...scopeOf(ctx), jobId, token, toIds.at(-1) ?? afterId, members, isLast, toIds, afterId],
  );
  return rows.length > 0;
}

/** Lets the next worker scan at once, or after some seconds; nothing changes when the claim was lost. */
export async function releaseScan(
  ctx: Context,
  { jobId, token }: ClaimedScan,
  afterSeconds: number,
): Promise<void> {
  await ctx.sql.query(
    `UPDATE model.bulk_jobs SET scan_due_at = now() + $5 * interval '1 second', scan_claims = 0
      WHERE ${inScope()} AND id = $3 AND scan_token = $4`,
    [...scopeOf(ctx), jobId, token, afterSeconds],
  );
}
