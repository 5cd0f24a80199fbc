import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { failedWith } from '@loyalty/prisma/sqlstate';
import { type BulkJobKey, type BulkJobStatus, type BulkPauseReason, CHUNK_SIZE } from './bulk-job.ts';

/** Stops the clock of the job: adds the running time so far. */
const STOPPED = `ran_seconds = ran_seconds + coalesce(extract(epoch FROM now() - running_since), 0),
  running_since = NULL`;

/**
 * Changes the status of a job; returns false, without any change, if the job is not in a state that allows
 * it.
 */
async function changed(tx: Context, id: string, change: string, values: readonly unknown[]) {
  const rows = await tx.sql.query(`UPDATE model.bulk_jobs SET ${change} RETURNING id`, [
    ...scopeOf(tx),
    id,
    ...values,
  ]);
  return rows.length > 0;
}

export const markPaused = (tx: Context, id: string, reason: BulkPauseReason): Promise<boolean> =>
  changed(
    tx,
    id,
    `status = 'PAUSED', pause_reason = $4::model."BulkPauseReason", ${STOPPED}
      WHERE ${inScope()} AND id = $3 AND status IN ('QUEUED', 'RUNNING')`,
    [reason],
  );

/** @param reason - resumes the job only if it was paused for this reason; null for any */
export const markResumed = (ctx: Context, id: string, reason: BulkPauseReason | null): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const isResumed = await changed(
      tx,
      id,
      `status = CASE WHEN started_at IS NULL THEN 'QUEUED' ELSE 'RUNNING' END::model."BulkJobStatus",
        pause_reason = NULL, unanswered_calls = 0, scan_due_at = now(), scan_claims = 0,
        running_since = CASE WHEN started_at IS NULL THEN NULL ELSE now() END
        WHERE ${inScope()} AND id = $3 AND status = 'PAUSED'
          AND ($4::model."BulkPauseReason" IS NULL OR pause_reason = $4::model."BulkPauseReason")`,
      [reason],
    );
    if (isResumed) await makeChunksDue(tx, id);
    return isResumed;
  });

/**
 * Chunks that were claimed when the job was paused are due at once, and their workers do not count as lost.
 */
async function makeChunksDue(tx: Context, id: string): Promise<void> {
  await tx.sql.query(
    `UPDATE model.bulk_chunks SET due_at = least(due_at, now()), claims = 0
      WHERE ${inScope()} AND job_id = $3 AND is_open AND (due_at > now() OR claims > 0)`,
    [...scopeOf(tx), id],
  );
}

/** Saves the totals of all chunks with the job, for the time after their deletion. */
const TOTALS = `(succeeded, unavailable, failed, attempts, credits) = (
  SELECT coalesce(sum(c.succeeded), 0), coalesce(sum(c.unavailable), 0), coalesce(sum(c.failed), 0),
         coalesce(sum(c.attempts), 0), coalesce(sum(c.credits), 0)
    FROM model.bulk_chunks AS c WHERE ${inScope('c')} AND c.job_id = $3)`;

export const markCancelled = (tx: Context, id: string): Promise<boolean> =>
  changed(
    tx,
    id,
    `status = 'CANCELLED', pause_reason = NULL, finished_at = $4, ${STOPPED}, ${TOTALS}
      WHERE ${inScope()} AND id = $3 AND status IN ('QUEUED', 'RUNNING', 'PAUSED')`,
    [tx.clock.now()],
  );

/** Whether a job is running and has nothing left to do. */
export async function isIdle(ctx: Context, id: string): Promise<boolean> {
  const found = await ctx.sql.query(
    `SELECT FROM model.bulk_jobs AS j
      WHERE ${inScope('j')} AND j.id = $3 AND j.status = 'RUNNING' AND j.is_scanned
        AND NOT EXISTS (SELECT FROM model.bulk_chunks AS c
                         WHERE ${inScope('c')} AND c.job_id = $3 AND c.is_open)`,
    [...scopeOf(ctx), id],
  );
  return found.length > 0;
}

/** Locks the job until the transaction ends; later statements see the changes of others. */
export async function lockJob(tx: Context, id: string): Promise<void> {
  await tx.sql.query(`SELECT FROM model.bulk_jobs WHERE ${inScope()} AND id = $3 FOR UPDATE`, [
    ...scopeOf(tx),
    id,
  ]);
}

/** Ends a running job without open chunks. */
export async function markCompleted(tx: Context, id: string): Promise<BulkJobStatus | null> {
  const rows = await tx.sql.query<{ status: BulkJobStatus }>(
    `UPDATE model.bulk_jobs AS j SET finished_at = $4, ${STOPPED}, ${TOTALS},
            status = CASE WHEN (SELECT sum(c.failed) FROM model.bulk_chunks AS c
                                 WHERE ${inScope('c')} AND c.job_id = $3) > 0
                          THEN 'COMPLETED_WITH_ERRORS' ELSE 'COMPLETED' END::model."BulkJobStatus"
      WHERE ${inScope('j')} AND j.id = $3 AND j.status = 'RUNNING' AND j.is_scanned
        AND NOT EXISTS (SELECT FROM model.bulk_chunks AS c
                         WHERE ${inScope('c')} AND c.job_id = $3 AND c.is_open)
     RETURNING j.status`,
    [...scopeOf(tx), id, tx.clock.now()],
  );
  return rows[0]?.status ?? null;
}

/** Returns jobs of any workspace that may have nothing left to do. */
export const findIdleJobs = (ctx: Context, limit: number): Promise<BulkJobKey[]> =>
  ctx.sql.query<BulkJobKey>(
    `/* every workspace */ SELECT j.workspace_id, j.mode, j.id FROM model.bulk_jobs AS j
      WHERE j.finished_at IS NULL AND j.status = 'RUNNING' AND j.is_scanned
        AND NOT EXISTS (SELECT FROM model.bulk_chunks AS c
                         WHERE c.workspace_id = j.workspace_id AND c.mode = j.mode AND c.job_id = j.id
                           AND c.is_open)
      LIMIT $1`,
    [limit],
  );

/** Returns jobs of any workspace that wait for credits; `membersLeft` is null until all members are found. */
export const findUnfundedJobs = (
  ctx: Context,
): Promise<(BulkJobKey & { readonly membersLeft: number | null })[]> =>
  ctx.sql.query<BulkJobKey & { readonly membersLeft: number | null }>(
    `/* every workspace */ SELECT j.workspace_id, j.mode, j.id,
            CASE WHEN j.is_scanned THEN j.scanned - (
              SELECT coalesce(sum(c.succeeded + c.unavailable), 0) FROM model.bulk_chunks AS c
               WHERE c.workspace_id = j.workspace_id AND c.mode = j.mode AND c.job_id = j.id)
            END::int AS members_left
       FROM model.bulk_jobs AS j
      WHERE j.finished_at IS NULL AND j.status = 'PAUSED' AND j.pause_reason = 'INSUFFICIENT_CREDITS'`,
  );

/** Whether a change failed because another job of the workspace is active. */
export const isSecondActive = (error: unknown): boolean => failedWith(error, 'UNIQUE_VIOLATION');

/** Reopens a job for its failed members; fails if another job is active. */
export async function markRetried(tx: Context, id: string): Promise<boolean> {
  const isRetried = await changed(
    tx,
    id,
    `status = 'RUNNING', finished_at = NULL, running_since = now(), unanswered_calls = 0
      WHERE ${inScope()} AND id = $3 AND status = 'COMPLETED_WITH_ERRORS'`,
    [],
  );
  if (isRetried) await insertRetryChunks(tx, id);
  return isRetried;
}

async function insertRetryChunks(tx: Context, id: string): Promise<void> {
  await tx.sql.query(
    `WITH failed AS (
       SELECT r.member_id, (row_number() OVER (ORDER BY r.member_id) - 1) / ${CHUNK_SIZE} AS part
         FROM model.bulk_results AS r
        WHERE ${inScope('r')} AND r.job_id = $3 AND r.status = 'FAILED'
     ), parts AS (
       SELECT part::int AS part, array_agg(member_id ORDER BY member_id) AS ids FROM failed GROUP BY part
     ), job AS (
       UPDATE model.bulk_jobs AS j SET chunks = j.chunks + (SELECT count(*) FROM parts)
        WHERE ${inScope('j')} AND j.id = $3
       RETURNING j.chunks - (SELECT count(*) FROM parts)::int AS chunks
     )
     INSERT INTO model.bulk_chunks
       (workspace_id, mode, job_id, number, after_id, to_id, only_ids, is_retry, due_at)
     SELECT $1, $2::platform."Mode", $3, job.chunks + parts.part + 1, $4,
            parts.ids[cardinality(parts.ids)], parts.ids, true, now()
       FROM parts CROSS JOIN job`,
    [...scopeOf(tx), id, NO_ID],
  );
}

/**
 * Transactions that write results of a bulk job share the lock. A transaction that stops them takes it
 * exclusively: it waits for current writers, and later ones see its changes. Requests for an advisory lock
 * are served in order, so the wait is short.
 */
export async function lockBulkWrites(tx: Context, as: 'WRITES' | 'STOPS'): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  const lock = as === 'WRITES' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await tx.sql.query(`SELECT ${lock}(hashtextextended('model.bulk_writes:' || $1 || ':' || $2, 0))`, [
    workspaceId,
    mode,
  ]);
}
