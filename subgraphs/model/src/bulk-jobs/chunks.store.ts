import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { plainArray } from '../facts/array-literals.ts';
import {
  STATE_ASSIGNMENTS,
  STATE_COLUMNS,
  stateArrays,
  stateParameters,
  stateValues,
} from '../member-states/state-columns.ts';
import type { ChunkOutcome, ClaimedChunk } from './chunk.ts';

/** Number of parameters before those of the states. */
const PARAMETERS = 16;

/** Selects the chunk while the worker has its claim and the job is running; `$5` is its token. */
const HELD = `SELECT c.* FROM model.bulk_chunks AS c
    JOIN model.bulk_jobs AS j ON j.workspace_id = c.workspace_id AND j.mode = c.mode AND j.id = c.job_id
   WHERE ${inScope('c')} AND c.job_id = $3 AND c.number = $4 AND c.token = $5 AND c.is_open
     AND j.status = 'RUNNING'
     FOR UPDATE OF c`;

const WRITE = `WITH held AS MATERIALIZED (
    ${HELD}
  ), answers AS MATERIALIZED (
    SELECT a.* FROM held
     CROSS JOIN unnest($6::uuid[], $7::model."BulkResultStatus"[], ${stateArrays(PARAMETERS + 1)})
          AS a (member_id, result, ${STATE_COLUMNS})
  ), results AS (
    INSERT INTO model.bulk_results AS r
      (workspace_id, mode, job_id, member_id, status, attempts, error_code, updated_at)
    SELECT $1, $2::platform."Mode", $3, member_id, result, $8::int2,
           CASE result WHEN 'FAILED' THEN $9 END, now()
      FROM answers
    ON CONFLICT (workspace_id, mode, job_id, member_id) DO UPDATE
       SET status = excluded.status, attempts = r.attempts + excluded.attempts,
           error_code = excluded.error_code, updated_at = excluded.updated_at
  ), states AS (
    INSERT INTO model.member_states AS old
      (workspace_id, mode, member_id, ${STATE_COLUMNS}, model_version, job_id, source_cutoff, updated_at)
    SELECT $1, $2::platform."Mode", member_id, ${stateValues('answers')}, $10, $3, $11::timestamptz, now()
      FROM answers WHERE result <> 'FAILED'
    ON CONFLICT (workspace_id, mode, member_id) DO UPDATE
       SET ${STATE_ASSIGNMENTS}, model_version = excluded.model_version, job_id = excluded.job_id,
           source_cutoff = excluded.source_cutoff, updated_at = excluded.updated_at
     WHERE old.source_cutoff <= excluded.source_cutoff
  ), counted AS (
    SELECT count(*) FILTER (WHERE result = 'SUCCEEDED') AS succeeded,
           count(*) FILTER (WHERE result = 'UNAVAILABLE') AS unavailable,
           count(*) FILTER (WHERE result = 'FAILED') AS failed, count(*) AS processed
      FROM answers
  )
  UPDATE model.bulk_chunks AS c
     SET is_open = cardinality($12::uuid[]) > 0, only_ids = $12::uuid[], attempt = $13::int2,
         due_at = now() + $14 * interval '1 second', written_at = now(), token = c.token + 1,
         claims = 0,
         succeeded = c.succeeded + counted.succeeded, unavailable = c.unavailable + counted.unavailable,
         failed = c.failed + counted.failed - CASE WHEN held.is_retry THEN counted.processed ELSE 0 END,
         attempts = c.attempts + $15::int4, credits = c.credits + $16::int8
    FROM held, counted
   WHERE ${inScope('c')} AND c.job_id = $3 AND c.number = $4
  RETURNING c.number`;

// All of these run within `writingJob`. The statement that writes a chunk ends the claim: a later error, such
// as a lost answer to COMMIT, cannot count as a failure of the chunk.

/**
 * Writes results, states and counters of a chunk in one statement. Returns false and writes nothing if the
 * chunk has another token by now or the job is not running. A state with a newer cutoff is not replaced.
 */
export async function writeChunk(tx: Context, chunk: ClaimedChunk, done: ChunkOutcome): Promise<boolean> {
  const { outcomes, againIds } = done;
  const rows = await tx.sql.query(WRITE, [
    ...scopeOf(tx),
    chunk.jobId,
    chunk.number,
    chunk.token,
    plainArray(outcomes.map(({ memberId }) => memberId)),
    plainArray(outcomes.map(({ status }) => status)),
    chunk.attempt + 1,
    done.errorCode,
    chunk.modelVersion,
    chunk.sourceCutoff,
    plainArray(againIds),
    againIds.length > 0 ? chunk.attempt + 1 : 0,
    done.againAfterSeconds,
    done.attempts,
    done.credits,
    ...stateParameters(outcomes.map(({ state }) => state)),
  ]);
  return rows.length > 0;
}

/** Releases a chunk unchanged; has no effect if its claim was lost or the job is not running. */
export async function releaseChunk(
  tx: Context,
  { jobId, number, token }: ClaimedChunk,
  next: { readonly afterSeconds: number; readonly attempt: number; readonly attempts: number },
): Promise<void> {
  await tx.sql.query(
    `WITH held AS (${HELD})
     UPDATE model.bulk_chunks AS c
        SET due_at = now() + $6 * interval '1 second', claims = 0, attempt = $7::int2,
            attempts = c.attempts + $8::int4
       FROM held WHERE ${inScope('c')} AND c.job_id = $3 AND c.number = $4`,
    [...scopeOf(tx), jobId, number, token, next.afterSeconds, next.attempt, next.attempts],
  );
}

/**
 * Splits a chunk after a member. The first part keeps its number; both can be claimed, the rest before all
 * other chunks, so that at most one of them is split. Has no effect if its claim was lost or the job is not
 * running.
 */
export async function splitChunk(
  tx: Context,
  { jobId, number, token }: ClaimedChunk,
  lastId: string,
): Promise<void> {
  await tx.sql.query(
    `WITH held AS (
       ${HELD}
     ), job AS (
       UPDATE model.bulk_jobs AS j SET chunks = j.chunks + 1 FROM held
        WHERE ${inScope('j')} AND j.id = $3
       RETURNING j.chunks
     ), rest AS (
       INSERT INTO model.bulk_chunks
         (workspace_id, mode, job_id, number, after_id, to_id, only_ids, is_retry, attempt, due_at)
       SELECT $1, $2::platform."Mode", $3, job.chunks, $6, held.to_id,
              ARRAY(SELECT id FROM unnest(held.only_ids) AS id WHERE id > $6 ORDER BY id), held.is_retry,
              held.attempt, to_timestamp(0)
         FROM held CROSS JOIN job
     )
     UPDATE model.bulk_chunks AS c
        SET to_id = $6, due_at = now(), claims = 0,
            only_ids = ARRAY(SELECT id FROM unnest(held.only_ids) AS id WHERE id <= $6 ORDER BY id)
       FROM held WHERE ${inScope('c')} AND c.job_id = $3 AND c.number = $4`,
    [...scopeOf(tx), jobId, number, token, lastId],
  );
}

/** Counts an unanswered call of the model; returns the number of consecutive ones. */
export async function countUnanswered(ctx: Context, { jobId }: ClaimedChunk): Promise<number> {
  const [job] = await ctx.sql.query<{ calls: number }>(
    `UPDATE model.bulk_jobs SET unanswered_calls = unanswered_calls + 1
      WHERE ${inScope()} AND id = $3 AND status = 'RUNNING' RETURNING unanswered_calls AS calls`,
    [...scopeOf(ctx), jobId],
  );
  return job?.calls ?? 0;
}

/** Resets the count after an answered call. */
export async function clearUnanswered(ctx: Context, { jobId }: ClaimedChunk): Promise<void> {
  await ctx.sql.query(
    `UPDATE model.bulk_jobs SET unanswered_calls = 0
      WHERE ${inScope()} AND id = $3 AND status = 'RUNNING' AND unanswered_calls > 0`,
    [...scopeOf(ctx), jobId],
  );
}
