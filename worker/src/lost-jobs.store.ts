import type { Services } from '@loyalty/platform/context';
import type { Job } from 'pg-boss';

/**
 * Condition for this attempt of a job, if the previous attempt ended without its worker, as recorded by
 * pg-boss.
 */
const LOST = `name = $1 AND id = $2 AND retry_count = $3 AND state = 'active'
  AND output->'value'->>'message' IN ('job heartbeat timeout', 'job timed out')`;

type Attempt = Pick<Job, 'name' | 'id' | 'retryCount'>;

const keyOf = ({ name, id, retryCount }: Attempt): readonly unknown[] => [name, id, retryCount];

/** Returns whether the worker of the previous attempt was lost. For the first attempt, no query is made. */
export async function hasLostWorker({ database }: Services, job: Attempt): Promise<boolean> {
  if (job.retryCount === 0) return false;
  const lost = await database.sql.query(`SELECT 1 FROM pgboss.job WHERE ${LOST}`, [...keyOf(job)]);
  return lost.length > 0;
}

/** Counts the lost worker of a job, once per attempt; returns the total. */
export async function countLoss({ database }: Services, job: Attempt): Promise<number> {
  const [counted] = await database.sql.query<{ losses: number }>(
    `UPDATE pgboss.job
        SET data = data || jsonb_build_object('losses', coalesce((data->>'losses')::int, 0) + 1)
      WHERE ${LOST} RETURNING (data->>'losses')::int AS losses`,
    [...keyOf(job)],
  );
  return counted?.losses ?? 0;
}
