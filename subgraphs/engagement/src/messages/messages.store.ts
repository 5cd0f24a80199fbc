import type { Mode } from '@loyalty/platform/base/caller';
import { firstIdAt } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { sharedLock } from '../limits/message-queue.ts';
import type { Message, MessageAttempt, MessageFilter } from './message.ts';

const sealedColumns = `m.id, m.channel, m.member_id, m.recipient_sealed, m.template_id, m.template_version,
  m.content_sealed, m.content_id, m.data_sealed`;

const columns = `${sealedColumns}, m.category, m.source_kind, m.source_id, m.node_id, m.variant, m.status,
  m.reason, m.detail,
  nullif(m.due_at, 'infinity') AS due_at, m.opens, m.clicks, m.created_at, m.sent_at, m.delivered_at,
  m.opened_at, m.clicked_at`;

export const messageById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Message>(
    `SELECT ${columns} FROM engagement.messages AS m WHERE ${inScope('m')} AND m.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/**
 * A page of messages, newest first. Absent conditions are omitted, so that the planner finds the right index.
 */
export async function messagesPage(
  ctx: Context,
  request: PageRequest,
  filter: MessageFilter,
): Promise<Page<Message>> {
  const params: unknown[] = [...scopeOf(ctx)];
  const conditions = [inScope('m')];
  const add = (value: unknown, condition: (place: string) => string): void => {
    if (value === null || value === undefined) return;
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  // Ids are UUIDv7, so they sort by the time of creation.
  const idAt = (time: Date | null | undefined) => (time ? firstIdAt(time) : null);
  add(filter.memberId, (place) => `m.member_id = ${place}::uuid`);
  add(filter.status, (place) => `m.status = ${place}::engagement."MessageStatus"`);
  add(filter.templateId, (place) => `m.template_id = ${place}::uuid`);
  add(filter.category, (place) => `m.category = ${place}::engagement."MessageCategory"`);
  add(filter.channel, (place) => `m.channel = ${place}::engagement."MessageChannel"`);
  add(filter.sourceId, (place) => `m.source_id = ${place}::uuid`);
  add(idAt(filter.createdFrom), (place) => `m.id >= ${place}::uuid`);
  add(idAt(filter.createdUntil), (place) => `m.id < ${place}::uuid`);
  const where = conditions.join(' AND ');
  const counted = [...params];
  const { order, beyond } = scan(request);
  add(request.cursorId, (place) => `m.id ${beyond} ${place}::uuid`);
  const rows = await ctx.sql.query<Message>(
    `SELECT ${columns} FROM engagement.messages AS m WHERE ${conditions.join(' AND ')}
      ORDER BY m.id ${order} LIMIT ${request.size + 1} OFFSET ${request.offset}`,
    params,
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM engagement.messages AS m WHERE ${where}`;
    return (await ctx.sql.query<{ total: number }>(sql, counted))[0]!.total;
  });
}

/** A page of a member's messages. Batched by member. */
export const memberMessages = pageLoader<string, Message>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<Message>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::int[], $6::uuid[]')}
         WITH ORDINALITY AS w(member_id, rows, skip, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM engagement.messages AS m
         WHERE ${inScope('m')} AND m.member_id = w.member_id
           AND (w.cursor_id IS NULL OR m.id ${beyond} w.cursor_id)
         ORDER BY m.id ${order} LIMIT w.rows OFFSET w.skip
      ) AS found
      ORDER BY w.place, found.id ${order}`,
    [...scopeOf(ctx), owners, limits, offsets, cursorIds],
  );
});

export const messageCountByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const rows = await ctx.sql.query<{ memberId: string; total: number }>(
    `SELECT m.member_id, count(*)::int AS total FROM engagement.messages AS m
      WHERE ${inScope('m')} AND m.member_id = ANY($3::uuid[]) GROUP BY m.member_id`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ memberId, total }) => [memberId, total]));
});

/** Returns all messages to a member, without their contents. */
export const listedMessages = (ctx: Context, memberId: string): Promise<Record<string, unknown>[]> =>
  ctx.sql.query(
    `SELECT m.created_at, t.name AS template, m.category, m.status, m.sent_at
       FROM engagement.messages AS m
       LEFT JOIN engagement.message_templates AS t ON t.workspace_id = m.workspace_id AND t.id = m.template_id
      WHERE ${inScope('m')} AND m.member_id = $3 ORDER BY m.id`,
    [...scopeOf(ctx), memberId],
  );

/** Erases contents and addresses of messages to a member. Waiting messages are not sent any more. */
export async function eraseMessages(ctx: Context, memberId: string): Promise<void> {
  await ctx.sql.query(
    `WITH gate AS ${sharedLock}, forgotten AS (
       UPDATE engagement.messages AS m
          SET recipient_sealed = NULL, data_sealed = NULL, content_sealed = NULL, content_id = NULL,
              idempotency_key = NULL, fingerprint = NULL, claim = m.claim + 1, due_at = NULL,
              status = CASE WHEN m.status = 'QUEUED' THEN 'SKIPPED' ELSE m.status END,
              reason = CASE WHEN m.status = 'QUEUED' THEN 'MEMBER_ERASED' ELSE m.reason END
         FROM gate
        WHERE ${inScope('m')} AND m.member_id = $3
       RETURNING m.id
     )
     UPDATE engagement.message_events AS e SET url = NULL
       FROM forgotten
      WHERE ${inScope('e')} AND e.message_id = forgotten.id AND e.url IS NOT NULL`,
    [...scopeOf(ctx), memberId],
  );
}

export type MessageEventKind = 'DELIVERED' | 'OPENED' | 'CLICKED' | 'BOUNCED' | 'COMPLAINED' | 'UNSUBSCRIBED';

export interface MessageEvent {
  readonly id: string;
  readonly kind: MessageEventKind;
  readonly url: string | null;
  readonly detail: string | null;
  readonly occurredAt: Date;
}

/** Inserts an event and updates the counts of its message. Returns the message's source. */
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

/** The newest events by message. */
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

/** Attempts by message, in the order of their start. */
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

/** The message of a provider's notice. */
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
