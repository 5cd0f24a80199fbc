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

/** Batch size: recipients per statement. */
const BATCH = 1_000;

/** Messages of a campaign, journey or automation, one to each of many members. */
export interface QueueMessages {
  readonly channel: MessageChannel;
  /** With a marketing template, messages are always MARKETING. */
  readonly category: MessageCategory;
  /** For a mail. Default version: the current one. */
  readonly templateId?: string | undefined;
  readonly templateVersion?: number | undefined;
  /** Content of a mail without a template. */
  readonly inline?: { readonly subject: string; readonly html: string } | undefined;
  /** Content of a web push. */
  readonly notification?: NotificationContent | undefined;
  readonly source: MessageSource;
  readonly recipients: readonly {
    readonly memberId: string;
    /** Idempotency key, at most 180 characters. A recipient whose key exists already is skipped. */
    readonly key: string;
    /** Data for this recipient, in addition to the shared data. */
    readonly data?: Readonly<Record<string, unknown>> | undefined;
  }[];
  /** Data for all recipients. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Queues a message for each of the recipients, in the caller's transaction. Whether it may be sent, and to
 * which address, is decided when it is sent.
 *
 * @returns the number of queued messages, without existing keys
 * @throws AppError TEMPLATE_NOT_FOUND (404), VALIDATION_FAILED, TEMPLATE_INVALID (400)
 */
export async function queueMessages(tx: Context, wanted: QueueMessages): Promise<number> {
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
  // The planner needs fresh statistics after many messages were inserted.
  if (queued > 0) tx.afterCommit(() => refreshStatistics(tx.outsideTransaction(), ['engagement.messages']));
  publishMoved(tx, [source.id]);
  return queued;
}

/**
 * Prefixes the keys of sources with a space. Keys of integrations are trimmed, so they never begin with a
 * space.
 */
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

/** Inserts messages and wakes the sending workers. Returns the number of inserted messages. */
export const addMessages = (ctx: Context, messages: NewMessages): Promise<number> =>
  ctx.transaction(async (tx) => {
    const added = await insertMessages(tx, messages);
    if (added > 0 && messages.status === 'QUEUED')
      tx.afterCommit(() => tx.services.live.publish(MESSAGES_CHANNEL, 'new'));
    return added;
  });

/** Returns the message that was requested with an idempotency key, or null. */
export const findKeyedMessage = (ctx: Context, idempotencyKey: string): Promise<KeyedMessage | null> =>
  findByKey(ctx, idempotencyKey);

export type { KeyedMessage };
