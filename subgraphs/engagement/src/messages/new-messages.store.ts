import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { MessageCategory, MessageChannel, MessageSource, MessageStatus } from './message.ts';

/** The recipient of one message. */
export interface NewRecipient {
  readonly id: string;
  readonly memberId: string | null;
  /** Blind index of the address; empty if the address is read when the message is sent. */
  readonly emailIndex: string;
  /** Null if the address is read when the message is sent. */
  readonly recipientSealed: Uint8Array | null;
  readonly dataSealed: Uint8Array | null;
  readonly idempotencyKey: string | null;
}

/** Messages with the same content, each with its own recipient and data. */
export interface NewMessages {
  readonly channel: MessageChannel;
  readonly category: MessageCategory;
  /** Null if an integration requested the message. */
  readonly source: MessageSource | null;
  readonly templateId: string | null;
  readonly templateVersion: number | null;
  readonly contentSealed: Uint8Array | null;
  readonly contentId: string | null;
  /** Only QUEUED messages are sent. */
  readonly status: MessageStatus;
  /** The reason why the messages are not sent. */
  readonly reason: string | null;
  /** Fingerprint of the request of a single message. */
  readonly fingerprint: string | null;
  readonly recipients: readonly NewRecipient[];
}

/** Inserts messages and returns their number. A message whose key exists in the workspace is skipped. */
export async function insertMessages(tx: Context, messages: NewMessages): Promise<number> {
  const { recipients, source } = messages;
  const rows = await tx.sql.query(
    `INSERT INTO engagement.messages (workspace_id, mode, id, channel, category, member_id, email_index,
            recipient_sealed, source_kind, source_id, node_id, variant, template_id, template_version,
            content_sealed, content_id, data_sealed, idempotency_key, fingerprint, status, due_at, actor,
            created_at, reason)
     SELECT $1, $2::platform."Mode", r.id, $9::engagement."MessageChannel",
            $10::engagement."MessageCategory", r.member_id, r.email_index, r.recipient_sealed,
            $11::engagement."MessageSourceKind", $12, $13, $14,
            $15, $16, $17, $18, r.data_sealed, r.idempotency_key, $19, $20::engagement."MessageStatus",
            CASE WHEN $20 = 'QUEUED' THEN $21::timestamptz END, $22, $21, $23
       FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::bytea[], $7::bytea[], $8::text[])
         AS r(id, member_id, email_index, recipient_sealed, data_sealed, idempotency_key)
     ON CONFLICT (workspace_id, mode, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
     RETURNING 1`,
    [
      ...scopeOf(tx),
      ...arraysOf(
        recipients,
        'id',
        'memberId',
        'emailIndex',
        'recipientSealed',
        'dataSealed',
        'idempotencyKey',
      ),
      messages.channel,
      messages.category,
      source?.kind ?? null,
      source?.id ?? null,
      source?.nodeId ?? null,
      source?.variant ?? null,
      messages.templateId,
      messages.templateVersion,
      messages.contentSealed,
      messages.contentId,
      messages.fingerprint,
      messages.status,
      tx.clock.now(),
      tx.caller.actor,
      messages.reason,
    ],
  );
  return rows.length;
}

/** A message that was requested with an idempotency key. */
export interface KeyedMessage {
  readonly id: string;
  readonly status: MessageStatus;
  readonly fingerprint: string | null;
  /** A worker has claimed the message at least once. */
  readonly wasQueued: boolean;
}

export async function findByKey(ctx: Context, idempotencyKey: string): Promise<KeyedMessage | null> {
  const [row] = await ctx.sql.query<KeyedMessage>(
    `SELECT id, status, fingerprint, claim > 0 AS was_queued FROM engagement.messages
      WHERE ${inScope()} AND idempotency_key = $3`,
    [...scopeOf(ctx), idempotencyKey],
  );
  return row ?? null;
}

/** A content that many messages share. */
export interface KeptContent {
  readonly id: string;
  readonly contentSealed: Uint8Array;
}

/**
 * Inserts a content, or updates the time of its use. The time is one day ahead, because a process calls this
 * at most once a day for each content.
 */
export async function keepContent(ctx: Context, { id, contentSealed }: KeptContent): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO engagement.message_contents (workspace_id, id, content_sealed, used_at)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, id) DO UPDATE SET used_at = greatest(message_contents.used_at, $4)`,
    [ctx.scope.workspaceId, id, contentSealed, addMs(ctx.clock.now(), DAY_MS)],
  );
}

export const keptContentById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<KeptContent>(
    `SELECT id, content_sealed FROM engagement.message_contents
      WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});
