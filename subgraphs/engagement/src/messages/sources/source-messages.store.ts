import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import { addMs } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { dueAgain, LEASE_MS } from '../queue/message-lease.ts';
import { closedGate } from '../queue/sending-gate.ts';

// A pause costs the same for ten messages and for a million. It is a row that the guards read, and a higher
// claim for the messages that workers have: so they start no attempt. The others are put aside when a worker
// takes them: they are QUEUED without a time at which they are due, and no claim finds them again.

/** Notes that nothing of a source is sent; a cancelled one stays so. */
export async function insertHeld(tx: Context, sourceId: string, isCancelled: boolean): Promise<void> {
  await tx.sql.query(
    `INSERT INTO engagement.held_sources AS h (workspace_id, mode, source_id, is_cancelled, held_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5)
     ON CONFLICT (workspace_id, mode, source_id) DO UPDATE SET is_cancelled = h.is_cancelled OR $4`,
    [...scopeOf(tx), sourceId, isCancelled, tx.clock.now()],
  );
}

export async function deleteHeld(tx: Context, sourceId: string): Promise<void> {
  await tx.sql.query(
    `DELETE FROM engagement.held_sources WHERE ${inScope()} AND source_id = $3 AND NOT is_cancelled`,
    [...scopeOf(tx), sourceId],
  );
}

/** Those of the sources that are held, and whether they are cancelled. */
export async function findHeld(
  ctx: Context,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await ctx.sql.query<{ sourceId: string; isCancelled: boolean }>(
    `SELECT source_id AS "sourceId", is_cancelled AS "isCancelled" FROM engagement.held_sources
      WHERE ${inScope()} AND source_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), sourceIds],
  );
  return new Map(rows.map(({ sourceId, isCancelled }) => [sourceId, isCancelled]));
}

/** Messages that workers have, by the index of what is due: $4 is now, and $5 the end of every lease. */
const taken = `m.category IN ('MARKETING', 'TRANSACTIONAL') AND m.due_at > $4::timestamptz
  AND m.due_at <= $5::timestamptz AND m.source_id = $3 AND m.status = 'QUEUED'`;

const leases = ({ clock }: Context): readonly [Date, Date] => [clock.now(), addMs(clock.now(), 2 * LEASE_MS)];

/** Takes the messages of a source from the workers that have them; returns those that a provider may have. */
export async function fenceTaken(ctx: Context, sourceId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string; attempts: number }>(
    `WITH gate AS ${closedGate}
     UPDATE engagement.messages AS m SET claim = m.claim + 1, reason = 'PAUSED'
       FROM gate WHERE ${inScope('m')} AND ${taken}
     RETURNING m.id, m.attempts`,
    [...scopeOf(ctx), sourceId, ...leases(ctx)],
  );
  return rows.flatMap(({ id, attempts }) => (attempts > 0 ? [id] : []));
}

/** Lets messages that were put aside be taken again; how many they are. */
export async function releaseHeld(tx: Context, sourceId: string): Promise<number> {
  const rows = await tx.sql.query(
    `WITH gate AS ${closedGate}
     UPDATE engagement.messages AS m SET reason = NULL, due_at = ${dueAgain('$4')}
       FROM gate
      WHERE ${inScope('m')} AND m.source_id = $3 AND m.status = 'QUEUED'
        AND (m.due_at IS NULL OR m.reason = 'PAUSED')
     RETURNING 1`,
    [...scopeOf(tx), sourceId, tx.clock.now()],
  );
  return rows.length;
}

/** Without those that a provider may have: they are skipped, if they come back, when they are taken again. */
export async function cancelQueued(tx: Context, sourceId: string): Promise<void> {
  await tx.sql.query(
    `WITH gate AS ${closedGate}
     UPDATE engagement.messages AS m
        SET status = 'SKIPPED', reason = 'CANCELLED', due_at = NULL, claim = m.claim + 1, counted_at = NULL
       FROM gate
      WHERE ${inScope('m')} AND m.source_id = $3 AND m.status = 'QUEUED'
        AND (m.attempts = 0 OR m.due_at IS NULL OR NOT (${taken}))`,
    [...scopeOf(tx), sourceId, ...leases(tx)],
  );
}

/** Those of the messages of which an attempt has no outcome yet. */
export async function stillInHands(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT DISTINCT message_id AS id FROM engagement.message_attempts
      WHERE ${inScope()} AND message_id = ANY($3::uuid[]) AND outcome = 'UNKNOWN'
        AND started_at > $4`,
    [...scopeOf(ctx), ids, addMs(ctx.clock.now(), -LEASE_MS)],
  );
  return rows.map(({ id }) => id);
}
