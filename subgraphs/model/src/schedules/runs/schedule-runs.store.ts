import type { Scope } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';

/** A schedule of any workspace. */
export type DueSchedule = Scope & { readonly id: string };

/** The schedule that is due for longest; null where none is. Others look at other ones meanwhile. */
export async function lockDue(tx: Context): Promise<DueSchedule | null> {
  const [row] = await tx.sql.query<DueSchedule>(
    `/* every workspace */ SELECT workspace_id, mode, id FROM model.training_schedules
      WHERE next_run_at <= $1 ORDER BY next_run_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    [tx.clock.now()],
  );
  return row ?? null;
}

/** Notes that a run was due, which version it made, and when the next one is. */
export async function writeRun(
  tx: Context,
  { id, versionId, nextRunAt }: { id: string; versionId: string | null; nextRunAt: Date },
): Promise<void> {
  await tx.prisma.trainingSchedule.updateMany({
    where: { id },
    data: { lastRunAt: tx.clock.now(), ...(versionId && { lastVersionId: versionId }), nextRunAt },
  });
}
