import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { closedGate, dueAgain, LEASE_MS } from '../limits/message-queue.ts';
import type { MessageStatus } from './message.ts';

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

/** How many messages of a source have the same fate. */
export interface MessageCount {
  readonly sourceId: string;
  /** Empty for campaigns. */
  readonly nodeId: string;
  /** Empty without variants. */
  readonly variant: string;
  readonly status: MessageStatus;
  /** A code of `messageReasons`; empty where there is none. */
  readonly reason: string;
  readonly count: number;
  /** Messages that were opened at least once. */
  readonly opened: number;
  /** Messages of which a link was followed at least once. */
  readonly clicked: number;
  readonly unsubscribed: number;
}

/** Of a cancelled source, what waits is skipped in the background, so that it counts as skipped. */
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

/** A link in messages of a source, and how often it was followed. */
export interface SourceLink {
  /** Without query and fragment. */
  readonly url: string;
  readonly clicks: number;
  /** Messages in which it was followed. */
  readonly messages: number;
}

/** Of the messages that the log still has, the most followed first. */
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
 * Of messages that retention deletes, as rows of `gone`: what became of them is added to the totals of their
 * source, in the statement that deletes them. One that still waited is not sent any more.
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
