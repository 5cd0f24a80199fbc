import type { Mode } from '@loyalty/platform/caller/caller';
import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import type { MessageAttempt } from './message.ts';

export type MessageEventKind = 'DELIVERED' | 'OPENED' | 'CLICKED' | 'BOUNCED' | 'COMPLAINED' | 'UNSUBSCRIBED';

export interface MessageEvent {
  readonly id: string;
  readonly kind: MessageEventKind;
  readonly url: string | null;
  readonly detail: string | null;
  readonly occurredAt: Date;
}

/** Keeps an event and changes its message with it, where it counts; returns the message's source. */
export async function insertEvent(
  ctx: Context,
  event: MessageEvent & { readonly messageId: string },
): Promise<string | null> {
  const [row] = await ctx.sql.query<{ sourceId: string | null }>(
    `WITH counted AS (
       UPDATE engagement.messages AS m
          SET status = CASE
                WHEN $4::text IN ('BOUNCED', 'COMPLAINED') THEN $4::text::engagement."MessageStatus"
                WHEN $4::text = 'DELIVERED' AND m.status IN ('QUEUED', 'SENT') THEN 'DELIVERED'
                ELSE m.status END,
              delivered_at = CASE WHEN $4::text = 'DELIVERED' THEN $5::timestamptz ELSE m.delivered_at END,
              opens = m.opens + ($4::text = 'OPENED')::int,
              clicks = m.clicks + ($4::text = 'CLICKED')::int,
              opened_at = greatest(m.opened_at, CASE WHEN $4::text = 'OPENED' THEN $5::timestamptz END),
              unsubscribed_at = CASE WHEN $4::text = 'UNSUBSCRIBED' THEN $5::timestamptz
                                ELSE m.unsubscribed_at END,
              clicked_at = greatest(m.clicked_at, CASE WHEN $4::text = 'CLICKED' THEN $5::timestamptz END)
        WHERE ${inScope('m')} AND m.id = $3 AND CASE $4::text
                WHEN 'DELIVERED' THEN m.delivered_at IS NULL AND m.status <> 'BOUNCED'
                WHEN 'BOUNCED' THEN m.status NOT IN ('BOUNCED', 'COMPLAINED')
                WHEN 'COMPLAINED' THEN m.status <> 'COMPLAINED'
                WHEN 'UNSUBSCRIBED' THEN m.unsubscribed_at IS NULL
                ELSE true END
       RETURNING m.id, m.source_id
     ), kept AS (
     INSERT INTO engagement.message_events
            (workspace_id, mode, id, message_id, kind, url, detail, occurred_at)
     SELECT $1, $2::platform."Mode", $6, id, $4::text::engagement."MessageEventKind", $7, $8, $5::timestamptz
       FROM counted)
     SELECT source_id FROM counted`,
    [...scopeOf(ctx), event.messageId, event.kind, event.occurredAt, event.id, event.url, event.detail],
  );
  return row?.sourceId ?? null;
}

const EVENTS_MAX = 100;

/** The newest events of each message. */
export const eventsByMessage = loader(async (ctx, messageIds: readonly string[]) => {
  const rows = await ctx.sql.query<MessageEvent & { readonly messageId: string }>(
    `SELECT w.message_id, e.*
       FROM unnest($3::uuid[]) AS w(message_id)
      CROSS JOIN LATERAL (
        SELECT id, kind, url, detail, occurred_at FROM engagement.message_events AS e
         WHERE ${inScope('e')} AND e.message_id = w.message_id ORDER BY e.id DESC LIMIT ${EVENTS_MAX}
      ) AS e`,
    [...scopeOf(ctx), messageIds],
  );
  return Map.groupBy(rows, ({ messageId }) => messageId);
});

/** In the order in which they were started. */
export const attemptsByMessage = loader(async (ctx, messageIds: readonly string[]) => {
  const rows = await ctx.sql.query<MessageAttempt & { readonly messageId: string }>(
    `SELECT message_id, number, provider_id, provider_kind, outcome, response_status, error, started_at,
            duration_ms
       FROM engagement.message_attempts
      WHERE ${inScope()} AND message_id = ANY($3::uuid[]) ORDER BY message_id, number`,
    [...scopeOf(ctx), messageIds],
  );
  return Map.groupBy(rows, ({ messageId }) => messageId);
});

/** A message as providers' notices are about it. */
export interface ProviderMessage {
  readonly id: string;
  readonly mode: Mode;
  readonly emailIndex: string;
}

export async function findByProviderMessage(
  ctx: Context,
  providerId: string,
  providerMessageId: string,
): Promise<ProviderMessage | null> {
  const [row] = await ctx.sql.query<ProviderMessage>(
    `SELECT id, mode, email_index FROM engagement.messages
      WHERE workspace_id = $1 AND provider_message_id = $3 AND provider_id = $2`,
    [ctx.scope.workspaceId, providerId, providerMessageId],
  );
  return row ?? null;
}
