import type { Context } from '@loyalty/platform/context';
import { type CappedMessage, countMessages, lockMembers } from './frequency-caps.store.ts';
import type { MessageSettings } from './message-settings.store.ts';

/**
 * Which of these marketing messages their members may get by the caps. Those count from now on; two workers
 * at once never exceed a cap together. A message that counts already counts once.
 */
export async function withinCaps(
  ctx: Context,
  { marketingPerDay, marketingPerWeek }: MessageSettings,
  messages: readonly CappedMessage[],
): Promise<ReadonlySet<string>> {
  if (messages.length === 0 || (marketingPerDay === null && marketingPerWeek === null))
    return new Set(messages.map(({ id }) => id));
  const ids = await ctx.transaction(async (tx) => {
    await lockMembers(tx, [...new Set(messages.map(({ memberId }) => memberId))].sort());
    return countMessages(tx, messages, { perDay: marketingPerDay, perWeek: marketingPerWeek });
  });
  return new Set(ids);
}
