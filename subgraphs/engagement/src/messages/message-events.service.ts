import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publishMoved } from '../limits/message-queue.ts';
import type { MessageAttempt } from './message.ts';
import {
  attemptsByMessage,
  findByProviderMessage as find,
  insertEvent,
  type MessageEventKind,
  type ProviderMessage,
} from './messages.store.ts';

/** An event of a message after it was sent. */
export interface NewMessageEvent {
  readonly messageId: string;
  readonly kind: MessageEventKind;
  /** For a click: the URL, stored without query and fragment. */
  readonly url?: string;
  /** For a bounce: whether it is permanent, and its status code. */
  readonly detail?: string;
  readonly occurredAt: Date;
}

/**
 * Records an event of a message and counts it. A delivery, a bounce, a complaint and an unsubscription count
 * once, in any order; opens and clicks count each time. Unknown messages are ignored.
 */
export async function recordMessageEvent(ctx: Context, event: NewMessageEvent): Promise<void> {
  const { url, detail = null } = event;
  const sourceId = await insertEvent(ctx, {
    ...event,
    id: newId(ctx.clock),
    detail,
    url: url ? withoutQuery(url) : null,
  });
  publishMoved(ctx, [sourceId]);
}

function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/**
 * Returns the message with this id of the provider, in any mode, or null if the workspace has no such
 * message.
 */
export const findByProviderMessage = (
  ctx: Context,
  providerId: string,
  providerMessageId: string,
): Promise<ProviderMessage | null> => find(ctx, providerId, providerMessageId);

/** Lists the attempts to send a message, oldest first. Batched by message. */
export const attemptsOf = async (ctx: Context, messageId: string): Promise<readonly MessageAttempt[]> =>
  (await ctx.load(attemptsByMessage, messageId)) ?? [];
