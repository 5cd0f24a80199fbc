import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/values/ids';
import { getMessageSettings } from '../limits/message-settings.service.ts';
import type { MessageCategory, MessageChannel } from '../messages/message.ts';
import { messageKeys } from '../messages/message-personal.ts';
import { obstacleOf } from './obstacles.ts';
import { recipientsOf } from './recipients.service.ts';

/**
 * Why a member would get no message at this moment, as the guards decide it, but for the frequency caps and
 * the emergency stop; null where nothing speaks against it.
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
