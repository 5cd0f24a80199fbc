import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { MessageStatus } from '../messages/message.ts';

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
