import type { Context } from '@loyalty/platform/context';
import { sendPushes } from '../../push/push-sending/push-sending.service.ts';
import { publishMoved } from '../queue/message-channels.ts';
import type { PreparedPush } from './prepared-message.ts';
import { markPushesSent } from './push-hand-overs.store.ts';

/**
 * Hands notifications to the sending of web push. Messages are sent once their notifications are kept for the
 * browsers: both in one transaction, so that a crash neither loses nor repeats any.
 */
export async function handOverPushes(ctx: Context, pushes: readonly PreparedPush[]): Promise<void> {
  if (pushes.length === 0) return;
  await ctx.transaction(async (tx) => {
    const sent = await markPushesSent(
      tx,
      pushes.map(({ message }) => message),
    );
    const going = pushes.filter(({ message }) => sent.has(message.id));
    await sendPushes(
      tx,
      going.map(({ message: { sourceId }, notification, browsers }) => ({
        notification,
        subscriptionIds: browsers,
        sourceId,
      })),
    );
    publishMoved(
      tx,
      going.map(({ message }) => message.sourceId),
    );
  });
}
