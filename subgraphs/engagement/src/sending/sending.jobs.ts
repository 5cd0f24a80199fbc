import { type Loop, loop } from '@loyalty/platform/work/loops';
import { MESSAGES_CHANNEL } from '../limits/message-queue.ts';
import { sendDue, waitForSending } from './sending.service.ts';

const IDLE_MS = 1_000;
/** Maximum interval between two polls for new messages while others are being sent. */
const BUSY_MS = 100;

/** Sends messages of all workspaces. */
export const sendMessagesLoop: Loop = loop('engagement.send-messages', {
  places: 1,
  wakes: MESSAGES_CHANNEL,
  async turn(ctx) {
    const { taken, isSending } = await sendDue(ctx);
    if (taken > 0) return 0;
    if (!isSending) return IDLE_MS;
    await waitForSending(ctx, BUSY_MS);
    return 0;
  },
  async drain(ctx) {
    while (!(await waitForSending(ctx, IDLE_MS)));
  },
});
