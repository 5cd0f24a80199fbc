import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { getMessageSettings } from '../limits/message-settings.service.ts';
import type { MessageCategory, MessageChannel } from '../messages/message.ts';
import { messageKeys } from '../messages/message-personal.ts';
import { obstacleOf } from './obstacles.ts';
import { recipientsOf } from './recipients.service.ts';
import type { ClaimedMessage } from './sending.store.ts';

/**
 * Finds the members who would not receive a message now, with the reasons. Frequency caps and quiet hours are
 * ignored. Writes nothing.
 *
 * @param memberIds - at most 1,000
 * @returns reasons by member; members who would receive the message are omitted
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function obstaclesNow(
  ctx: Context,
  wanted: { readonly channel: MessageChannel; readonly category: MessageCategory },
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const settings = await getMessageSettings(ctx);
  const messages = memberIds.map(
    (memberId): ClaimedMessage => ({ ...ctx.scope, ...wanted, ...noContent, memberId, id: memberId }),
  );
  const recipients = await recipientsOf(ctx, await messageKeys(ctx), messages);
  const found = messages.flatMap((message) => {
    const obstacle = obstacleOf(ctx, message, recipients.get(message.id)!, settings);
    const isFinal = obstacle?.status === 'SKIPPED' || obstacle?.status === 'SUPPRESSED';
    return isFinal && obstacle.reason ? [[message.id, obstacle.reason] as const] : [];
  });
  return new Map(found);
}

/** The fields of a message without content. */
const noContent = {
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

/**
 * Returns the reason why a member would not receive a message now, or null. Decided as by the guards, without
 * the frequency caps and the emergency stop.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function memberRefusal(
  ctx: Context,
  wanted: {
    readonly memberId: string;
    readonly channel: MessageChannel;
    readonly category: MessageCategory;
  },
): Promise<string | null> {
  const message = {
    ...ctx.scope,
    ...wanted,
    id: newId(ctx.clock),
    emailIndex: '',
    recipientSealed: null,
    templateId: null,
    templateVersion: null,
    contentSealed: null,
    contentId: null,
    dataSealed: null,
    sourceKind: null,
    sourceId: null,
    nodeId: null,
    claim: 0,
    attempts: 0,
    rounds: 0,
    claims: 1,
  };
  const [settings, recipients] = await Promise.all([
    getMessageSettings(ctx),
    recipientsOf(ctx, await messageKeys(ctx), [message]),
  ]);
  return obstacleOf(ctx, message, recipients.get(message.id)!, settings)?.reason ?? null;
}
