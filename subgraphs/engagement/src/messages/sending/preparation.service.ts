import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { inTurns } from '@loyalty/platform/loading/in-turns';
import { type AllowedMessage, guardMessages } from '../guards/guards.service.ts';
import type { Obstacle } from '../guards/obstacles.ts';
import { getMessageSettings } from '../limits/message-settings.service.ts';
import type { MessageSettings } from '../limits/message-settings.store.ts';
import { linksFor, trackedHtml, trackedLink } from '../links/links.service.ts';
import { attemptsOf } from '../messages/message-events.service.ts';
import { messageKeys, sealRecipient } from '../messages/message-personal.ts';
import { publishMoved } from '../queue/message-channels.ts';
import type { NotificationContent } from '../rendering/notification-content.ts';
import { type Content, RenderError, render } from '../rendering/render.ts';
import {
  finishedNotification,
  NotificationError,
  renderNotification,
} from '../rendering/render-notification.ts';
import { type AttemptHistory, historyOf } from './attempt-history.ts';
import { type ClaimedMessage, type MessageMove, moveMessages } from './claims.store.ts';
import { type PreparedMessage, type PreparedPush, topicOf } from './prepared-message.ts';

/** What all messages of a group need. */
interface Preparation {
  readonly keys: WorkspaceKeyring;
  readonly settings: MessageSettings;
}

/** Messages that may be sent, rendered. */
export interface PreparedMessages {
  readonly mails: ReadonlyMap<string, PreparedMessage>;
  readonly pushes: readonly PreparedPush[];
}

/**
 * Decides at this moment which messages may be sent, and renders those; of the others it writes why not.
 *
 * @throws AppError PEER_UNAVAILABLE (503): nothing was written
 */
export async function prepareMessages(
  ctx: Context,
  messages: readonly ClaimedMessage[],
): Promise<PreparedMessages> {
  const [keys, settings] = await Promise.all([messageKeys(ctx), getMessageSettings(ctx)]);
  const { allowed, refused } = await guardMessages(ctx, keys, settings, messages);
  const moves = refused.map(({ message, obstacle }) => moveOf(message, obstacle));
  const histories = await Promise.all(allowed.map(({ message }) => earlierAttempts(ctx, message)));
  const mails = new Map<string, PreparedMessage>();
  const pushes: PreparedPush[] = [];
  for await (const [place, each] of inTurns(allowed.entries())) {
    const outcome = await prepare(ctx, each, histories[place]!, { keys, settings });
    if ('mail' in outcome) mails.set(each.message.id, outcome);
    else if ('notification' in outcome) pushes.push(outcome);
    else moves.push(moveOf(each.message, outcome));
  }
  await moveMessages(ctx, moves);
  const moved = new Set(moves.map(({ id }) => id));
  publishMoved(
    ctx,
    messages.flatMap(({ id, sourceId }) => (moved.has(id) ? [sourceId] : [])),
  );
  return { mails, pushes };
}

async function prepare(
  ctx: Context,
  allowed: AllowedMessage,
  history: AttemptHistory,
  preparation: Preparation,
): Promise<PreparedMessage | PreparedPush | Obstacle> {
  if (history.isOver) return { status: 'FAILED', reason: 'OUTCOME_UNKNOWN' };
  try {
    return allowed.message.channel === 'EMAIL'
      ? await prepareMail(ctx, allowed, history, preparation)
      : await preparePush(ctx, allowed, preparation);
  } catch (error) {
    const failed = { status: 'FAILED', detail: (error as Error).message } as const;
    if (error instanceof RenderError) return { ...failed, reason: 'RENDER_FAILED' };
    if (error instanceof NotificationError) return { ...failed, reason: 'NOTIFICATION_INVALID' };
    throw error;
  }
}

const simulated: Obstacle = { status: 'SIMULATED', reason: null };

async function prepareMail(
  ctx: Context,
  { message, content, data, recipient }: AllowedMessage,
  history: AttemptHistory,
  { keys, settings }: Preparation,
): Promise<PreparedMessage | Obstacle> {
  const { id, category, memberId } = message;
  const { address, emailIndex, member } = recipient;
  const { headers, ...links } = await linksFor(ctx, { id, category, emailIndex, memberId });
  const rendered = render(content as Content, { member: member?.member ?? null, data, ...links });
  if (ctx.scope.mode === 'TEST') return simulated;
  const html = await trackedHtml(ctx, rendered.html, id, settings);
  const mail = { ...rendered, html, messageId: id, idempotencyKey: id, to: address!, headers };
  const recipientSealed = message.recipientSealed ? null : sealRecipient(keys, address!);
  return { message, mail, history, emailIndex, recipientSealed };
}

async function preparePush(
  ctx: Context,
  { message, content, data, recipient }: AllowedMessage,
  { settings }: Preparation,
): Promise<PreparedPush | Obstacle> {
  const variables = { member: recipient.member?.member ?? null, data };
  const rendered = renderNotification(content as NotificationContent, variables);
  const topic = topicOf(message);
  const notification = finishedNotification(rendered, topic);
  if (ctx.scope.mode === 'TEST') return simulated;
  const browsers = recipient.browsers!;
  if (!rendered.url) return { message, notification, browsers };
  const url = await trackedLink(ctx, rendered.url, message.id, settings);
  return { message, notification: finishedNotification({ ...rendered, url }, topic), browsers };
}

const NO_HISTORY = historyOf([]);

const earlierAttempts = async (ctx: Context, { id, attempts }: ClaimedMessage): Promise<AttemptHistory> =>
  attempts === 0 ? NO_HISTORY : historyOf(await attemptsOf(ctx, id));

const moveOf = ({ id, claim, rounds }: ClaimedMessage, obstacle: Obstacle): MessageMove => ({
  detail: null,
  dueAt: null,
  ...obstacle,
  id,
  claim,
  rounds,
});
