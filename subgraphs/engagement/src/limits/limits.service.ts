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

/**
 * Returns the held sources among the given ones, each with whether it is cancelled. Nothing of a held source
 * is sent.
 */
export const heldSources = async (
  ctx: Context,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> =>
  sourceIds.length === 0 ? new Map() : findHeld(ctx, [...new Set(sourceIds)]);

/**
 * Whether the emergency stop is on: the workspace sends no marketing, and nothing of campaigns, journeys and
 * automations.
 */
export const isSendingStopped = async (ctx: Context): Promise<boolean> => (await findStopped(ctx)) !== null;

/** Holds a source until `releaseSource`, or forever: nothing of it is sent. */
export const holdSource = (
  tx: Context,
  sourceId: string,
  { forever }: { readonly forever: boolean },
): Promise<void> => insertHeld(tx, sourceId, forever);

/** Releases a source, unless it is held forever. Its messages may be sent again. */
export const releaseSource = (tx: Context, sourceId: string): Promise<void> => deleteHeld(tx, sourceId);

/**
 * Returns the ids of the marketing messages that the caps of their members allow, and counts them from now
 * on. Two concurrent workers never exceed a cap together. A message that counts already is not counted again.
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
