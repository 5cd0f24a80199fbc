import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { heldSources, withinCaps } from '../limits/limits.service.ts';
import type { MessageSettings } from '../limits/message-settings.store.ts';
import { contentsOf, type MessageContent } from '../messages/messages.service.ts';
import { heldObstacle, isStoppable, type Obstacle, obstacleOf, stoppedObstacle } from './obstacles.ts';
import { recipientsOf, type SendingRecipient } from './recipients.service.ts';
import type { ClaimedMessage } from './sending.store.ts';

/** A message that may be sent, with the data that sending needs. */
export interface AllowedMessage extends MessageContent {
  readonly message: ClaimedMessage;
  readonly recipient: SendingRecipient;
}

/** The decisions of the guards. */
export interface GuardedMessages {
  readonly allowed: readonly AllowedMessage[];
  readonly refused: readonly { readonly message: ClaimedMessage; readonly obstacle: Obstacle }[];
}

/**
 * Decides which messages may be sent now, mails and web push alike. The guards are: held and cancelled
 * sources, the emergency stop, content, recipient, module, suppression, consent, quiet hours, and last the
 * frequency caps, because the messages that they allow are counted. This is the only place that decides it.
 * Everything is read once for all messages.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function guardMessages(
  ctx: Context,
  keys: WorkspaceKeyring,
  settings: MessageSettings,
  messages: readonly ClaimedMessage[],
): Promise<GuardedMessages> {
  const refused: { message: ClaimedMessage; obstacle: Obstacle }[] = [];
  const refuse = (message: ClaimedMessage, obstacle: Obstacle) => void refused.push({ message, obstacle });
  const held = await heldSources(
    ctx,
    messages.flatMap(({ sourceId }) => sourceId ?? []),
  );
  const going = messages.filter((message) => {
    const isCancelled = held.get(message.sourceId ?? '');
    const isStopped = settings.stoppedAt !== null && isStoppable(message);
    if (isCancelled !== undefined) refuse(message, heldObstacle(isCancelled));
    else if (isStopped) refuse(message, stoppedObstacle);
    return isCancelled === undefined && !isStopped;
  });
  if (going.length === 0) return { allowed: [], refused };
  const [contents, recipients] = await Promise.all([
    contentsOf(ctx, keys, going),
    recipientsOf(ctx, keys, going),
  ]);
  const allowed = going.flatMap((message): AllowedMessage[] => {
    const [content, recipient] = [contents.get(message.id), recipients.get(message.id)!];
    const obstacle = content ? obstacleOf(ctx, message, recipient, settings) : withoutContent(message);
    if (obstacle) refuse(message, obstacle);
    return obstacle ? [] : [{ ...content!, message, recipient }];
  });
  const over = await overCaps(ctx, settings, allowed);
  for (const { message } of allowed)
    if (over.has(message.id)) refuse(message, { status: 'SKIPPED', reason: 'FREQUENCY_CAP' });
  return { allowed: allowed.filter(({ message }) => !over.has(message.id)), refused };
}

const withoutContent = ({ dataSealed }: ClaimedMessage): Obstacle =>
  dataSealed
    ? { status: 'FAILED', reason: 'TEMPLATE_NOT_FOUND' }
    : { status: 'SKIPPED', reason: 'MEMBER_ERASED' };

async function overCaps(
  ctx: Context,
  settings: MessageSettings,
  allowed: readonly AllowedMessage[],
): Promise<ReadonlySet<string>> {
  const capped = allowed.flatMap(({ message: { id, memberId, category } }) =>
    category === 'MARKETING' && memberId ? [{ id, memberId }] : [],
  );
  const within = await withinCaps(ctx, settings, capped);
  return new Set(capped.map(({ id }) => id).filter((id) => !within.has(id)));
}
