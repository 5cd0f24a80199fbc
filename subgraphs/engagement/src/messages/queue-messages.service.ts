import { invalid } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { refreshStatistics } from '@loyalty/platform/database/analyze-tables';
import { MESSAGES_CHANNEL, publishMoved } from '../limits/message-queue.ts';
import { checkNotificationContent, type NotificationContent } from '../templates/render.ts';
import { compileInline, templateToSend } from '../templates/templates.service.ts';
import type { MessageCategory, MessageChannel, MessageSource } from './message.ts';
import { messageKeys, sealData } from './message-personal.ts';
import { shareContent } from './messages.service.ts';
import {
  findByKey,
  insertMessages,
  type KeyedMessage,
  type NewMessages,
  type NewRecipient,
} from './new-messages.store.ts';

/** Recipients of one statement. */
const BATCH = 1_000;

/** One message of a campaign, journey or automation to each of many members. */
export interface QueueMessages {
  readonly channel: MessageChannel;
  /** A marketing template makes its messages marketing, whatever is said here. */
  readonly category: MessageCategory;
  /** Of a mail; in the version that it has now, unless one is given. */
  readonly templateId?: string | undefined;
  readonly templateVersion?: number | undefined;
  /** A mail without a template. */
  readonly inline?: { readonly subject: string; readonly html: string } | undefined;
  /** What a web push says. */
  readonly notification?: NotificationContent | undefined;
  readonly source: MessageSource;
  readonly recipients: readonly {
    readonly memberId: string;
    /** Idempotency key: at most 180 characters; a key that exists already is left out. */
    readonly key: string;
    /** For this recipient, beside what is the same for all. */
    readonly data?: Readonly<Record<string, unknown>> | undefined;
  }[];
  /** The same for all. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What became of a request to queue messages. */
export interface QueuedMessages {
  /** Without those whose key was known. */
  readonly queued: number;
  /** Nobody is skipped here at present: all guards are checked when a message is sent, and are in the log. */
  readonly skipped: readonly { readonly memberId: string; readonly reason: string }[];
}

/**
 * Queues a message for each of the recipients, in the caller's transaction. Whether it may be sent, and to
 * which address, is decided when it is sent.
 *
 * @throws AppError TEMPLATE_NOT_FOUND (404), VALIDATION_FAILED, TEMPLATE_INVALID (400)
 */
export async function queueMessages(tx: Context, wanted: QueueMessages): Promise<QueuedMessages> {
  const { channel, source, recipients } = wanted;
  const content = await contentOf(tx, wanted);
  const keys = await messageKeys(tx);
  const shared = sealData(keys, wanted.data);
  const rows = recipients.map(
    ({ memberId, key, data }): NewRecipient => ({
      id: newId(tx.clock),
      memberId,
      emailIndex: '',
      recipientSealed: null,
      dataSealed: data ? sealData(keys, { ...wanted.data, ...data }) : shared,
      idempotencyKey: sourceKey(key),
    }),
  );
  const same = { ...content, channel, source, contentSealed: null, fingerprint: null };
  let queued = 0;
  for (let first = 0; first < rows.length; first += BATCH) {
    const part = rows.slice(first, first + BATCH);
    queued += await addMessages(tx, { ...same, status: 'QUEUED', reason: null, recipients: part });
  }
  // Many messages at once: their sending must not be planned as if there were none.
  if (queued > 0) tx.afterCommit(() => refreshStatistics(tx.outsideTransaction(), ['engagement.messages']));
  publishMoved(tx, [source.id]);
  return { queued, skipped: [] };
}

/** Keys of integrations are trimmed: none of theirs begins with a space. */
const sourceKey = (key: string): string => ` ${key}`;

type ContentColumns = Pick<NewMessages, 'category' | 'templateId' | 'templateVersion' | 'contentId'>;

async function contentOf(tx: Context, wanted: QueueMessages): Promise<ContentColumns> {
  const { channel, category, templateId, templateVersion, inline, notification } = wanted;
  const without = { templateId: null, templateVersion: null, category };
  if (channel === 'WEB_PUSH') {
    if (!notification) throw invalid('notification', 'must be given for web push');
    const content = checkNotificationContent('notification', notification);
    return { ...without, contentId: await shareContent(tx, content) };
  }
  if (templateId) {
    const template = await templateToSend(tx, templateId, templateVersion);
    const stronger = template.category === 'MARKETING' ? 'MARKETING' : category;
    return { category: stronger, templateId, templateVersion: template.version, contentId: null };
  }
  if (!inline) throw invalid('templateId', 'must be given for a mail, or inline instead');
  const content = await compileInline(tx, inline, category === 'MARKETING');
  return { ...without, contentId: await shareContent(tx, content) };
}

/** Adds messages and wakes who sends them; returns how many were added. */
export const addMessages = (ctx: Context, messages: NewMessages): Promise<number> =>
  ctx.transaction(async (tx) => {
    const added = await insertMessages(tx, messages);
    if (added > 0 && messages.status === 'QUEUED')
      tx.afterCommit(() => tx.services.live.publish(MESSAGES_CHANNEL, 'new'));
    return added;
  });

/** The message that was asked for with an idempotency key; null when there is none. */
export const findKeyedMessage = (ctx: Context, idempotencyKey: string): Promise<KeyedMessage | null> =>
  findByKey(ctx, idempotencyKey);

export type { KeyedMessage };
