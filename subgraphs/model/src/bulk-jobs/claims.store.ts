import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { Claimed } from '@loyalty/platform/work/lost-workers';
import type { MemberRangesFragment } from '#generated/peers';
import type { ClaimedChunk } from './chunk.ts';

/** A worker that does not respond for this time loses its chunk. */
const LEASE = `interval '120 seconds'`;

/** Jobs that one claim considers: chosen at random, so that no workspace waits behind a large one. */
const JOBS = 10;

/** As precise as the column: rounding errors of each call would add up and exceed the budget. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

/** Tokens of the budget at a moment: at most the amount gained in a second. */
const refilled = (at: string): string =>
  `least($1::float8, b.tokens + $1::float8 * extract(epoch FROM ${at} - b.updated_at)::float8)`;

/** A chunk that may be processed now, or whether one is waiting for the budget. */
export interface ChunkClaim {
  readonly chunk: ClaimedChunk | null;
  readonly isWaiting: boolean;
}

/**
 * Claims a chunk of any running job together with one call of the budget that all workers share: both or
 * neither. Concurrent callers get different chunks. All times are those of the database.
 *
 * @param callsPerSecond - calls that the budget gains each second, which is also its limit
 * @param maySuspect - whether to claim chunks whose worker was lost, too
 */
export async function claimChunk(
  ctx: Context,
  callsPerSecond: number,
  maySuspect = true,
): Promise<ChunkClaim> {
  const [row] = await ctx.sql.query<ClaimedChunk & { due: number }>(
    `/* every workspace */ WITH job AS MATERIALIZED (
       SELECT workspace_id, mode, id, source_cutoff, model_version FROM model.bulk_jobs
        WHERE finished_at IS NULL AND status = 'RUNNING'
        ORDER BY random() LIMIT ${JOBS}
     ), due AS MATERIALIZED (
       SELECT c.*, job.source_cutoff, job.model_version FROM job CROSS JOIN LATERAL (
         SELECT c.workspace_id, c.mode, c.job_id, c.number FROM model.bulk_chunks AS c
          WHERE c.workspace_id = job.workspace_id AND c.mode = job.mode AND c.job_id = job.id
            AND (c.claims = 0 OR $2) AND c.is_open AND c.due_at <= now()
          ORDER BY c.due_at, c.number LIMIT 1 FOR UPDATE SKIP LOCKED) AS c
        LIMIT 1
     ), budget AS (
       UPDATE model.rate_budgets AS b
          SET (tokens, updated_at) = (SELECT ${refilled('t.at')} - 1, t.at FROM (SELECT ${NOW} AS at) AS t)
        WHERE b.name = 'bulk.calls' AND EXISTS (SELECT FROM due) AND ${refilled(NOW)} >= 1
       RETURNING b.name
     ), claimed AS (
       UPDATE model.bulk_chunks AS c SET due_at = now() + ${LEASE}, token = c.token + 1,
              claims = c.claims + 1
         FROM due, budget
        WHERE c.workspace_id = due.workspace_id AND c.mode = due.mode AND c.job_id = due.job_id
          AND c.number = due.number
       RETURNING c.workspace_id, c.mode, c.job_id, c.number, c.token, c.after_id, c.to_id, c.only_ids,
                 c.is_retry, c.attempt, c.claims, due.source_cutoff, due.model_version
     )
     SELECT claimed.*, (SELECT count(*)::int FROM due) AS due
       FROM (VALUES (1)) AS one LEFT JOIN claimed ON true`,
    [callsPerSecond, maySuspect],
  );
  const { due, ...chunk } = row!;
  return { chunk: chunk.jobId ? chunk : null, isWaiting: due > 0 };
}

/** A job whose members are to be divided into chunks. */
export interface ClaimedScan
  extends Pick<ClaimedChunk, 'workspaceId' | 'mode' | 'jobId' | 'sourceCutoff'>,
    Claimed {
  readonly token: number;
  readonly afterId: string;
}

/**
 * Claims a job that is not completely scanned; a queued one is running afterwards.
 *
 * @param maySuspect - whether to claim jobs whose worker was lost, too
 */
export async function claimScan(ctx: Context, maySuspect = true): Promise<ClaimedScan | null> {
  const [claimed] = await ctx.sql.query<ClaimedScan>(
    `/* every workspace */ UPDATE model.bulk_jobs AS j
        SET status = 'RUNNING', started_at = coalesce(j.started_at, $1),
            running_since = coalesce(j.running_since, now()),
            scan_due_at = now() + ${LEASE}, scan_token = j.scan_token + 1,
            scan_claims = j.scan_claims + 1
       FROM (SELECT workspace_id, mode, id FROM model.bulk_jobs
              WHERE finished_at IS NULL AND status IN ('QUEUED', 'RUNNING') AND NOT is_scanned
                AND scan_due_at <= now() AND (scan_claims = 0 OR $2)
              ORDER BY scan_due_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
      WHERE j.workspace_id = due.workspace_id AND j.mode = due.mode AND j.id = due.id
     RETURNING j.workspace_id, j.mode, j.id AS job_id, j.source_cutoff, j.scan_token AS token,
               j.scan_claims AS claims, j.scanned_to_id AS after_id`,
    [ctx.clock.now(), maySuspect],
  );
  return claimed ?? null;
}

/**
 * Adds a chunk for each range and advances the job's scan, in one statement. Returns false and changes
 * nothing if the claim was lost or the job is not running.
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

/** Lets the next worker scan at once, or after some seconds; has no effect if the claim was lost. */
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
