import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { dueAgain, exclusiveLock, LEASE_MS } from '../limits/message-queue.ts';

/** Starts or ends the emergency stop. Returns null if the state is already set. */
export async function writeStopped(tx: Context, isStopped: boolean): Promise<Date | null> {
  const [row] = await tx.sql.query<{ at: Date }>(
    `INSERT INTO engagement.message_settings AS s (workspace_id, stopped_at)
     SELECT $1, $2::timestamptz WHERE $3::boolean
         OR EXISTS (SELECT FROM engagement.message_settings WHERE workspace_id = $1)
     ON CONFLICT (workspace_id) DO UPDATE SET stopped_at = CASE WHEN $3 THEN $2::timestamptz END
      WHERE (s.stopped_at IS NOT NULL) <> $3
     RETURNING $2::timestamptz AS at`,
    [tx.scope.workspaceId, tx.clock.now(), isStopped],
  );
  return row?.at ?? null;
}

/**
 * Withdraws messages that the stop concerns from the workers that claimed them, in the mode of the caller.
 * Their due time becomes infinity until the stop ends. Returns the ids of messages that a provider may be
 * processing.
 */
export async function withdrawStopped(ctx: Context): Promise<string[]> {
  const now = ctx.clock.now();
  const rows = await ctx.sql.query<{ id: string; isStarted: boolean }>(
    `WITH gate AS ${exclusiveLock}
     UPDATE engagement.messages AS m
        SET due_at = 'infinity', claim = m.claim + 1, claims = 0, reason = 'SENDING_STOPPED'
       FROM gate
      WHERE ${inScope('m')} AND m.due_at > $3 AND m.due_at <= $4 AND m.status = 'QUEUED'
        AND (m.category = 'MARKETING' OR (m.category = 'TRANSACTIONAL' AND m.source_id IS NOT NULL))
     RETURNING m.id, m.attempts > 0 AS is_started`,
    [...scopeOf(ctx), now, addMs(now, 2 * LEASE_MS)],
  );
  return rows.flatMap(({ id, isStarted }) => (isStarted ? [id] : []));
}

/** Releases at most `max` messages with an infinite due time. Returns their number. */
export async function releaseInfinite(tx: Context, max: number): Promise<number> {
  const rows = await tx.sql.query(
    `WITH gate AS ${exclusiveLock}, held AS MATERIALIZED (
       SELECT m.id FROM gate, engagement.messages AS m
        WHERE ${inScope('m')} AND m.category IN ('MARKETING', 'TRANSACTIONAL') AND m.due_at = 'infinity'
        LIMIT $4
     )
     UPDATE engagement.messages AS m SET reason = NULL, due_at = ${dueAgain('$3')}
      WHERE ${inScope('m')} AND m.id = ANY(ARRAY(SELECT id FROM held)) AND NOT isfinite(m.due_at)
     RETURNING 1`,
    [...scopeOf(tx), tx.clock.now(), max],
  );
  return rows.length;
}
