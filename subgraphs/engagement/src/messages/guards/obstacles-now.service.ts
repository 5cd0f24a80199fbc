import type { Context } from '@loyalty/platform/context';
import { getMessageSettings } from '../limits/message-settings.service.ts';
import type { MessageCategory, MessageChannel } from '../messages/message.ts';
import { messageKeys } from '../messages/message-personal.ts';
import type { ClaimedMessage } from '../sending/claims.store.ts';
import { obstacleOf } from './obstacles.ts';
import { recipientsOf } from './recipients.service.ts';

/**
 * Why members would not get a message now, but for frequency caps and quiet hours; nothing is written.
 *
 * @param memberIds - a thousand at most
 * @returns reasons of those who would get none
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function obstaclesNow(
  ctx: Context,
  wanted: { readonly channel: MessageChannel; readonly category: MessageCategory },
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const settings = await getMessageSettings(ctx);
  const messages = memberIds.map(
    (memberId): ClaimedMessage => ({ ...ctx.scope, ...wanted, ...blank, memberId, id: memberId }),
  );
  const recipients = await recipientsOf(ctx, await messageKeys(ctx), messages);
  const found = messages.flatMap((message) => {
    const obstacle = obstacleOf(ctx, message, recipients.get(message.id)!, settings);
    const isFinal = obstacle?.status === 'SKIPPED' || obstacle?.status === 'SUPPRESSED';
    return isFinal && obstacle.reason ? [[message.id, obstacle.reason] as const] : [];
  });
  return new Map(found);
}

/** A message that nobody has written. */
const blank = {
  recipientSealed: null,
  templateId: null,
  templateVersion: null,
  contentSealed: null,
  contentId: null,
  dataSealed: null,
  emailIndex: '',
  sourceKind: null,
  sourceId: null,
  nodeId: null,
  claim: 0,
  attempts: 0,
  rounds: 0,
  claims: 1,
};
