import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

/** Each returns false where the campaign is in another status; a worker's claim of it is lost. */
async function move(tx: Context, sql: string, id: string, ...params: readonly unknown[]): Promise<boolean> {
  const now = tx.clock.now();
  const rows = await tx.sql.query(
    `UPDATE engagement.campaigns SET claim = claim + 1, claims = 0, updated_at = $4, ${sql} RETURNING 1`,
    [...scopeOf(tx), id, now, ...params],
  );
  return rows.length > 0;
}

const ONE = `${inScope()} AND id = $3`;

/** @param dueAt - when a worker has to begin, which is before `at` where time zones are ahead */
export const markScheduled = (
  tx: Context,
  id: string,
  { at, isLocalTime, dueAt }: { readonly at: Date; readonly isLocalTime: boolean; readonly dueAt: Date },
): Promise<boolean> =>
  move(
    tx,
    `status = 'SCHEDULED', scheduled_at = $5, is_local_time = $6, due_at = $7, failure = NULL
      WHERE ${ONE} AND status IN ('DRAFT', 'SCHEDULED')`,
    id,
    at,
    isLocalTime,
    dueAt,
  );

export const markPaused = (tx: Context, id: string): Promise<boolean> =>
  move(tx, `status = 'PAUSED', due_at = NULL, failure = NULL WHERE ${ONE} AND status = 'SENDING'`, id);

export const markResumed = (tx: Context, id: string): Promise<boolean> =>
  move(
    tx,
    `status = 'SENDING', failure = NULL, due_at = CASE WHEN journey_id IS NULL THEN $4::timestamptz END
      WHERE ${ONE} AND status = 'PAUSED'`,
    id,
  );

/** Recipients who wait are written down as skipped by a worker, which is due. */
export const markCancelled = (tx: Context, id: string): Promise<boolean> =>
  move(
    tx,
    `status = 'CANCELLED', failure = NULL, finished_at = $4, audience_to_id = NULL,
        due_at = CASE WHEN started_at IS NOT NULL AND journey_id IS NULL THEN $4::timestamptz END
      WHERE ${ONE} AND status IN ('SCHEDULED', 'SENDING', 'PAUSED')`,
    id,
  );
