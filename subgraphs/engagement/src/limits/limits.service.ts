import type { Context } from '@loyalty/platform/context';
import {
  type CappedMessage,
  countMessages,
  deleteHeld,
  findHeld,
  findStopped,
  insertHeld,
  lockMembers,
} from './limits.store.ts';
import type { MessageSettings } from './message-settings.store.ts';

/** Those of the sources of which nothing is sent, and whether they are cancelled. */
export const heldSources = async (
  ctx: Context,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> =>
  sourceIds.length === 0 ? new Map() : findHeld(ctx, [...new Set(sourceIds)]);

/** Does the workspace send no marketing, nor anything of campaigns, journeys and automations? */
export const isSendingStopped = async (ctx: Context): Promise<boolean> => (await findStopped(ctx)) !== null;

/** Notes that nothing of a source is sent, until `releaseSource` or for ever. */
export const holdSource = (
  tx: Context,
  sourceId: string,
  { forever }: { readonly forever: boolean },
): Promise<void> => insertHeld(tx, sourceId, forever);

/** Notes that messages of a source may be sent again, unless they are held for ever. */
export const releaseSource = (tx: Context, sourceId: string): Promise<void> => deleteHeld(tx, sourceId);

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
