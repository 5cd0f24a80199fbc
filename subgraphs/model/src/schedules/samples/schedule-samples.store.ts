import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/loading/array-parameters';
import type { AppendedSample } from './sample-file.ts';

/** Samples of a schedule, in the order in which they came. */
export const findScheduleSamples = (ctx: Context, scheduleId: string): Promise<AppendedSample[]> =>
  ctx.sql.query<AppendedSample>(
    `SELECT sample_id, as_of, cells FROM model.schedule_samples
      WHERE ${inScope()} AND schedule_id = $3 ORDER BY created_at, as_of, sample_id`,
    [...scopeOf(ctx), scheduleId],
  );

export async function insertScheduleSamples(
  tx: Context,
  scheduleId: string,
  samples: readonly AppendedSample[],
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO model.schedule_samples (workspace_id, mode, schedule_id, sample_id, as_of, cells, created_at)
     SELECT $1, $2::platform."Mode", $3, s.sample_id, s.as_of, s.cells, $7
       FROM unnest($4::text[], $5::timestamptz[], $6::jsonb[]) AS s(sample_id, as_of, cells)`,
    [
      ...scopeOf(tx),
      scheduleId,
      ...arraysOf(samples, 'sampleId', 'asOf'),
      samples.map(({ cells }) => JSON.stringify(cells)),
      tx.clock.now(),
    ],
  );
}

/** Notes that a version is trained on all samples of a schedule. */
export async function markTrained(tx: Context, scheduleId: string, versionId: string): Promise<void> {
  await tx.prisma.scheduleSample.updateMany({ where: { scheduleId, versionId: null }, data: { versionId } });
}
