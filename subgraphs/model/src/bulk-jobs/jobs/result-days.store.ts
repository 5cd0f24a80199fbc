import type { Context } from '@loyalty/platform/context';

interface IdRange {
  readonly fromId: string;
  readonly toId: string;
}

const CHUNKS_AT_ONCE = 10_000;

/** Whether a job with an id from `fromId` to before `toId`, of any workspace, has not ended by `before`. */
export async function hasKeptJobs(ctx: Context, { fromId, toId }: IdRange, before: Date): Promise<boolean> {
  const found = await ctx.sql.query(
    `/* every workspace */ SELECT FROM model.bulk_jobs
      WHERE id >= $1 AND id < $2 AND (finished_at IS NULL OR finished_at > $3) LIMIT 1`,
    [fromId, toId, before],
  );
  return found.length > 0;
}

/** Deletes the chunks of these jobs, of any workspace, in batches that hold no lock for long. */
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
