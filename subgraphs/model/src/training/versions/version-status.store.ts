import type { Context } from '@loyalty/platform/context';
import type { VersionStatus } from './model-version.ts';
import { updateVersion } from './versions.store.ts';

/** Each is about a version that is locked, in a state from which it goes there. */
export const markQueued = (tx: Context, id: string): Promise<void> =>
  updateVersion(
    tx,
    id,
    `status = 'QUEUED', attempt = attempt + 1, claims = 0, token = token + 1, due_at = now(),
      started_at = NULL, finished_at = NULL, failure_code = NULL, failure = NULL, step = NULL, done = 0`,
  );

export const markCancelled = (tx: Context, id: string): Promise<void> =>
  updateVersion(tx, id, `status = 'CANCELLED', token = token + 1, due_at = NULL, finished_at = $4`, [
    tx.clock.now(),
  ]);

/** @param publishedAt - null where it is not published any more */
export async function markStatus(
  tx: Context,
  id: string,
  status: VersionStatus,
  publishedAt: Date | null = null,
): Promise<void> {
  await tx.prisma.modelVersion.updateMany({ where: { id }, data: { status, publishedAt } });
}
