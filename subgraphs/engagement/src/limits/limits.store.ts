import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { sharedLock } from './message-queue.ts';

/** Holds a source: nothing of it is sent. A cancelled source stays cancelled. */
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

/** Returns the held sources among the given ones, each with whether it is cancelled. */
export async function findHeld(
  ctx: Context,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await ctx.sql.query<{ sourceId: string; isCancelled: boolean }>(
    `SELECT source_id, is_cancelled FROM engagement.held_sources
      WHERE ${inScope()} AND source_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), sourceIds],
  );
  return new Map(rows.map(({ sourceId, isCancelled }) => [sourceId, isCancelled]));
}

/** Returns the time since which the emergency stop is on, or null. */
export async function findStopped(ctx: Context): Promise<Date | null> {
  const [row] = await ctx.sql.query<{ stoppedAt: Date | null }>(
    'SELECT stopped_at FROM engagement.message_settings WHERE workspace_id = $1',
    [ctx.scope.workspaceId],
  );
  return row?.stoppedAt ?? null;
}

/** A message that caps are applied to. */
export interface CappedMessage {
  readonly id: string;
  readonly memberId: string;
}

/** Locks the counts of these members until the transaction ends. */
export async function lockMembers(tx: Context, memberIds: readonly string[]): Promise<void> {
  // Locks are taken in the order of the ids, so that two transactions cannot deadlock.
  await tx.sql.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('engagement.caps:' || member_id, 0))
       FROM unnest($1::text[]) AS member_id`,
    [memberIds],
  );
}

/** Counts the messages that the caps allow, and returns their ids. */
export async function countMessages(
  tx: Context,
  messages: readonly CappedMessage[],
  { perDay, perWeek }: { readonly perDay: number | null; readonly perWeek: number | null },
): Promise<string[]> {
  const now = tx.clock.now();
  const rows = await tx.sql.query<{ id: string }>(
    `WITH gate AS ${sharedLock}, wanted AS (
       SELECT w.id, w.member_id, row_number() OVER (PARTITION BY w.member_id ORDER BY w.id) AS place
         FROM unnest($3::uuid[], $4::uuid[]) AS w(id, member_id)
     ), counts AS (
       SELECT m.member_id, count(*) AS week, count(*) FILTER (WHERE m.counted_at > $6) AS day
         FROM engagement.messages AS m
        WHERE ${inScope('m')} AND m.member_id = ANY($4::uuid[]) AND m.counted_at > $7
          AND m.id <> ALL($3::uuid[])
        GROUP BY m.member_id
     )
     UPDATE engagement.messages AS m SET counted_at = $5
       FROM gate, wanted AS w LEFT JOIN counts AS c ON c.member_id = w.member_id
      WHERE ${inScope('m')} AND m.id = w.id
        AND ($8::int IS NULL OR coalesce(c.day, 0) + w.place <= $8)
        AND ($9::int IS NULL OR coalesce(c.week, 0) + w.place <= $9)
     RETURNING m.id`,
    [
      ...scopeOf(tx),
      ...arraysOf(messages, 'id', 'memberId'),
      now,
      addMs(now, -DAY_MS),
      addMs(now, -7 * DAY_MS),
      perDay,
      perWeek,
    ],
  );
  return rows.map(({ id }) => id);
}
