import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import { addMs } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { dueAgain, LEASE_MS } from '../queue/message-lease.ts';
import { closedGate } from '../queue/sending-gate.ts';

// A pause costs the same for ten messages and for a million. It is a row that the guards read, and a higher
// claim for the messages that workers have: so they start no attempt. The others are held when a worker takes
// them: they are QUEUED without a time at which they are due, and no claim finds them again. They come back
// in batches. A statement that waits at the gate has chosen its rows before: it says again which ones it may
// change, because PostgreSQL reads that anew in rows that changed meanwhile.

/** Messages that workers have, by the index of what is due: $4 is now, and $5 the end of every lease. */
const taken = `m.category IN ('MARKETING', 'TRANSACTIONAL') AND m.due_at > $4::timestamptz
  AND m.due_at <= $5::timestamptz AND m.source_id = $3 AND m.status = 'QUEUED'`;

const cancellable = `m.status = 'QUEUED' AND (m.attempts = 0 OR m.due_at IS NULL OR NOT (${taken}))`;

const leases = ({ clock }: Context): readonly [Date, Date] => [clock.now(), addMs(clock.now(), 2 * LEASE_MS)];

/** Takes the messages of a source from the workers that have them; returns those that a provider may have. */
export async function fenceTaken(ctx: Context, sourceId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string; attempts: number }>(
    `WITH gate AS ${closedGate}
     UPDATE engagement.messages AS m SET claim = m.claim + 1, claims = 0, reason = 'PAUSED'
       FROM gate WHERE ${inScope('m')} AND ${taken}
     RETURNING m.id, m.attempts`,
    [...scopeOf(ctx), sourceId, ...leases(ctx)],
  );
  return rows.flatMap(({ id, attempts }) => (attempts > 0 ? [id] : []));
}

/** Lets messages be taken again that were taken from workers. They are few. */
export async function releaseTaken(tx: Context, sourceId: string): Promise<void> {
  await tx.sql.query(
    `WITH gate AS ${closedGate}
     UPDATE engagement.messages AS m SET reason = NULL, due_at = ${dueAgain('$4')}
       FROM gate WHERE ${inScope('m')} AND ${taken} AND m.reason = 'PAUSED'`,
    [...scopeOf(tx), sourceId, ...leases(tx)],
  );
}

/** Lets held messages be taken again, `max` at most; how many they are. */
export async function releaseHeld(tx: Context, sourceId: string, max: number): Promise<number> {
  const rows = await tx.sql.query(
    `WITH gate AS ${closedGate}, held AS MATERIALIZED (
       SELECT m.id FROM gate, engagement.messages AS m
        WHERE ${inScope('m')} AND m.source_id = $3 AND m.due_at IS NULL AND m.reason = 'PAUSED'
        ORDER BY m.id LIMIT $5
     )
     UPDATE engagement.messages AS m SET reason = NULL, claims = 0, due_at = ${dueAgain('$4')}
      WHERE ${inScope('m')} AND m.id = ANY(ARRAY(SELECT id FROM held))
        AND m.status = 'QUEUED' AND m.reason = 'PAUSED'
     RETURNING 1`,
    [...scopeOf(tx), sourceId, tx.clock.now(), max],
  );
  return rows.length;
}

/**
 * Skips messages for good, `max` at most, without those that a provider may have: they are skipped, if they
 * come back, when they are taken again. Returns how many they are.
 */
export async function cancelQueued(tx: Context, sourceId: string, max: number): Promise<number> {
  const rows = await tx.sql.query(
    `WITH gate AS ${closedGate}, waiting AS MATERIALIZED (
       SELECT m.id FROM gate, engagement.messages AS m
        WHERE ${inScope('m')} AND m.source_id = $3 AND ${cancellable} LIMIT $6
     )
     UPDATE engagement.messages AS m
        SET status = 'SKIPPED', reason = 'CANCELLED', due_at = NULL, claim = m.claim + 1, counted_at = NULL
      WHERE ${inScope('m')} AND m.id = ANY(ARRAY(SELECT id FROM waiting)) AND ${cancellable}
     RETURNING 1`,
    [...scopeOf(tx), sourceId, ...leases(tx), max],
  );
  return rows.length;
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
