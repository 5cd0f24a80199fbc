import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { StandardVersion } from '../standard-model/standard-versions.ts';
import type { BulkJob } from './bulk-job.ts';

/** Totals over all chunks of a job, and the members written in the last half minute. */
const TOTALS = `SELECT coalesce(sum(c.succeeded), 0)::int AS succeeded,
    coalesce(sum(c.unavailable), 0)::int AS unavailable, coalesce(sum(c.failed), 0)::int AS failed,
    coalesce(sum(c.attempts), 0)::int AS attempts, coalesce(sum(c.credits), 0)::int8 AS credits,
    coalesce(sum(c.succeeded + c.unavailable + greatest(c.failed, 0))
      FILTER (WHERE c.written_at > now() - interval '30 seconds'), 0)::float8 AS recent
  FROM model.bulk_chunks AS c
 WHERE c.workspace_id = j.workspace_id AND c.mode = j.mode AND c.job_id = j.id`;

const elapsed = `(j.ran_seconds + coalesce(extract(epoch FROM now() - j.running_since), 0))::float8`;

/** An ended job has its own totals; those of an active one are summed over its chunks. */
const SELECTED = `SELECT j.id, j.name, j.model_version, j.status, j.pause_reason, j.actor, j.source_cutoff,
    j.created_at, j.started_at, j.finished_at, t.succeeded, t.unavailable, t.failed, t.attempts,
    t.credits AS credits_charged, ${elapsed} AS elapsed_seconds,
    CASE WHEN j.finished_at IS NOT NULL THEN t.succeeded + t.unavailable + t.failed
         WHEN j.is_scanned THEN j.scanned END AS total,
    CASE WHEN j.finished_at IS NOT NULL
         THEN (t.succeeded + t.unavailable + t.failed) / greatest(${elapsed}, 0.001)
         WHEN j.status = 'RUNNING' THEN t.recent / least(greatest(${elapsed}, 0.001), 30)
         ELSE 0 END::float8 AS members_per_second
  FROM model.bulk_jobs AS j
 CROSS JOIN LATERAL (
   SELECT j.succeeded, j.unavailable, j.failed, j.attempts, j.credits, 0::float8 AS recent
    WHERE j.finished_at IS NOT NULL
   UNION ALL
   SELECT c.* FROM (${TOTALS}) AS c WHERE j.finished_at IS NULL) AS t`;

export async function findBulkJob(ctx: Context, id: string): Promise<BulkJob | null> {
  const [job] = await ctx.sql.query<BulkJob>(`${SELECTED} WHERE ${inScope('j')} AND j.id = $3`, [
    ...scopeOf(ctx),
    id,
  ]);
  return job ?? null;
}

export async function bulkJobsPage(ctx: Context, request: PageRequest): Promise<Page<BulkJob>> {
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<BulkJob>(
    `${SELECTED} WHERE ${inScope('j')} AND ($3::uuid IS NULL OR j.id ${beyond} $3)
      ORDER BY j.id ${order} LIMIT $4 OFFSET $5`,
    [...scopeOf(ctx), request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM model.bulk_jobs WHERE ${inScope()}`,
      scopeOf(ctx),
    );
    return counted?.total ?? 0;
  });
}

export interface NewBulkJob {
  readonly id: string;
  readonly name: string;
  readonly modelVersion: StandardVersion;
  readonly idempotencyKey: string;
}

/** Returns false if the idempotency key was used before, or another job is active. */
export async function insertBulkJob(tx: Context, job: NewBulkJob): Promise<boolean> {
  const rows = await tx.sql.query(
    `INSERT INTO model.bulk_jobs
       (workspace_id, mode, id, name, model_version, idempotency_key, actor, source_cutoff,
        created_at, scanned_to_id, scan_due_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, $7, $8, $8, $9, now())
     ON CONFLICT DO NOTHING
     RETURNING id`,
    [
      ...scopeOf(tx),
      job.id,
      job.name,
      job.modelVersion,
      job.idempotencyKey,
      tx.caller.actor,
      tx.clock.now(),
      NO_ID,
    ],
  );
  return rows.length > 0;
}

/** Returns the job of an idempotency key. */
export async function findByKey(
  ctx: Context,
  key: string,
): Promise<Omit<NewBulkJob, 'idempotencyKey'> | null> {
  const [job] = await ctx.sql.query<Omit<NewBulkJob, 'idempotencyKey'>>(
    `SELECT id, name, model_version FROM model.bulk_jobs
      WHERE ${inScope()} AND idempotency_key = $3`,
    [...scopeOf(ctx), key],
  );
  return job ?? null;
}
