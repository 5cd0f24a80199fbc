import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { dueAgain, exclusiveLock, LEASE_MS } from '../limits/message-queue.ts';
import type { MessageStatus } from './message.ts';

// A pause costs the same for ten messages and for a million. It inserts one row that the guards read, and
// raises the claim number of messages that workers have claimed, so that they start no attempt. The other
// messages are held when a worker claims them: they stay QUEUED without a due time, and no claim finds them
// again. A release gives them a due time again, in batches. A statement that waits for the lock has selected
// its rows before, so it repeats its conditions in the UPDATE, because PostgreSQL checks them again for rows
// that changed meanwhile.

/**
 * Condition of messages that workers have claimed, by the index of due messages: $4 is now, and $5 is later
 * than the end of every lease.
 */
const taken = `m.category IN ('MARKETING', 'TRANSACTIONAL') AND m.due_at > $4::timestamptz
  AND m.due_at <= $5::timestamptz AND m.source_id = $3 AND m.status = 'QUEUED'`;

const cancellable = `m.status = 'QUEUED' AND (m.attempts = 0 OR m.due_at IS NULL OR NOT (${taken}))`;

const leases = ({ clock }: Context): readonly [Date, Date] => [clock.now(), addMs(clock.now(), 2 * LEASE_MS)];

/**
 * Withdraws the messages of a source from the workers that claimed them. Returns the ids of messages that a
 * provider may be processing.
 */
export async function withdrawClaims(ctx: Context, sourceId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string; attempts: number }>(
    `WITH gate AS ${exclusiveLock}
     UPDATE engagement.messages AS m SET claim = m.claim + 1, claims = 0, reason = 'PAUSED'
       FROM gate WHERE ${inScope('m')} AND ${taken}
     RETURNING m.id, m.attempts`,
    [...scopeOf(ctx), sourceId, ...leases(ctx)],
  );
  return rows.flatMap(({ id, attempts }) => (attempts > 0 ? [id] : []));
}

/** Releases messages that were withdrawn from workers. There are few of them. */
export async function releaseWithdrawn(tx: Context, sourceId: string): Promise<void> {
  await tx.sql.query(
    `WITH gate AS ${exclusiveLock}
     UPDATE engagement.messages AS m SET reason = NULL, due_at = ${dueAgain('$4')}
       FROM gate WHERE ${inScope('m')} AND ${taken} AND m.reason = 'PAUSED'`,
    [...scopeOf(tx), sourceId, ...leases(tx)],
  );
}

/** Releases at most `max` held messages. Returns their number. */
export async function releaseHeld(tx: Context, sourceId: string, max: number): Promise<number> {
  const rows = await tx.sql.query(
    `WITH gate AS ${exclusiveLock}, held AS MATERIALIZED (
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
 * Cancels at most `max` messages. Returns their number. Messages that a provider may be processing are not
 * cancelled here. If their attempts fail, they are cancelled at the next claim.
 */
export async function cancelQueued(tx: Context, sourceId: string, max: number): Promise<number> {
  const rows = await tx.sql.query(
    `WITH gate AS ${exclusiveLock}, waiting AS MATERIALIZED (
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

/** Returns the messages that have an attempt without an outcome. */
export async function withOpenAttempts(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT DISTINCT message_id AS id FROM engagement.message_attempts
      WHERE ${inScope()} AND message_id = ANY($3::uuid[]) AND outcome = 'UNKNOWN'
        AND started_at > $4`,
    [...scopeOf(ctx), ids, addMs(ctx.clock.now(), -LEASE_MS)],
  );
  return rows.map(({ id }) => id);
}

/** The number of messages of a source with the same node, variant, status and reason. */
export interface MessageCount {
  readonly sourceId: string;
  /** Empty for campaigns. */
  readonly nodeId: string;
  /** Empty without variants. */
  readonly variant: string;
  readonly status: MessageStatus;
  /** A code of `messageReasons`; empty without a reason. */
  readonly reason: string;
  readonly count: number;
  /** Messages that were opened at least once. */
  readonly opened: number;
  /** Messages with at least one clicked link. */
  readonly clicked: number;
  readonly unsubscribed: number;
}

/**
 * SQL that counts waiting messages of a cancelled source as skipped, because they are cancelled in the
 * background.
 */
const ofCancelled = (then: string, otherwise: string): string =>
  `CASE WHEN status = 'QUEUED' AND attempts = 0 AND source_id IN (
         SELECT h.source_id FROM engagement.held_sources AS h WHERE ${inScope('h')} AND h.is_cancelled)
        THEN ${then} ELSE ${otherwise} END`;

export const countsOf = (ctx: Context, sourceIds: readonly string[]): Promise<MessageCount[]> =>
  ctx.sql.query(
    `SELECT source_id, node_id, variant, status, reason,
            sum(count)::float8 AS count, sum(opened)::float8 AS opened, sum(clicked)::float8 AS clicked,
            sum(unsubscribed)::float8 AS unsubscribed
       FROM (SELECT source_id, coalesce(node_id, '') AS node_id, coalesce(variant, '') AS variant,
                    ${ofCancelled("'SKIPPED'", 'status')} AS status,
                    ${ofCancelled("'CANCELLED'", "coalesce(reason, '')")} AS reason, count(*) AS count,
                    count(*) FILTER (WHERE opens > 0) AS opened,
                    count(*) FILTER (WHERE clicks > 0) AS clicked, count(unsubscribed_at) AS unsubscribed
               FROM engagement.messages
              WHERE ${inScope()} AND source_id = ANY($3::uuid[])
              GROUP BY source_id, 2, 3, 4, 5
              UNION ALL
             SELECT source_id, node_id, variant, status, reason, count, opened, clicked, unsubscribed
               FROM engagement.message_totals
              WHERE ${inScope()} AND source_id = ANY($3::uuid[])) AS known
      GROUP BY source_id, node_id, variant, status, reason
      ORDER BY source_id, node_id, variant, status, reason`,
    [...scopeOf(ctx), sourceIds],
  );

/** A link in messages of a source, with its clicks. */
export interface SourceLink {
  /** Without query and fragment. */
  readonly url: string;
  readonly clicks: number;
  /** Number of messages with a click on the link. */
  readonly messages: number;
}

/** Clicked links of messages that are still in the log, most clicked first. */
export const clickedLinks = (ctx: Context, sourceId: string, max: number): Promise<SourceLink[]> =>
  ctx.sql.query(
    `SELECT e.url, count(*)::int AS clicks, count(DISTINCT e.message_id)::int AS messages
       FROM engagement.messages AS m
       JOIN engagement.message_events AS e ON ${inScope('e')} AND e.message_id = m.id
      WHERE ${inScope('m')} AND m.source_id = $3 AND m.clicks > 0
        AND e.kind = 'CLICKED' AND e.url IS NOT NULL
      GROUP BY e.url ORDER BY clicks DESC, e.url LIMIT $4`,
    [...scopeOf(ctx), sourceId, max],
  );

/**
 * Adds the messages that retention deletes (the rows of `gone`) to the totals of their sources, in the
 * statement that deletes them. A message that was still waiting counts as expired.
 */
export const foldedMessages = {
  columns: 'workspace_id, mode, source_id, node_id, variant, status, reason, opens, clicks, unsubscribed_at',
  sql: `INSERT INTO engagement.message_totals AS t (workspace_id, mode, source_id, node_id, variant, status,
               reason, count, opened, clicked, unsubscribed)
        SELECT workspace_id, mode, source_id, coalesce(node_id, ''), coalesce(variant, ''),
               CASE WHEN status = 'QUEUED' THEN 'SKIPPED' ELSE status END,
               CASE WHEN status = 'QUEUED' THEN 'EXPIRED' ELSE coalesce(reason, '') END,
               count(*), count(*) FILTER (WHERE opens > 0), count(*) FILTER (WHERE clicks > 0),
               count(unsubscribed_at)
          FROM gone WHERE source_id IS NOT NULL
         GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
        ON CONFLICT (workspace_id, mode, source_id, node_id, variant, status, reason) DO UPDATE
           SET count = t.count + excluded.count, opened = t.opened + excluded.opened,
               clicked = t.clicked + excluded.clicked,
               unsubscribed = t.unsubscribed + excluded.unsubscribed`,
} as const;
