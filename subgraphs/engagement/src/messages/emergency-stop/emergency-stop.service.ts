import { systemCaller } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/operations/audit';
import { setStatementTimeout } from '@loyalty/platform/operations/statement-timeout';
import { getMessageSettings } from '../limits/message-settings.service.ts';
import type { MessageSettings } from '../limits/message-settings.store.ts';
import { MESSAGES_CHANNEL } from '../queue/message-channels.ts';
import { untilHandedOver } from '../sources/source-messages.service.ts';
import { findStopped, giveFree, takeBack, writeStopped } from './emergency-stop.store.ts';

/** For statements over all messages of a workspace, in seconds; a transaction has 30. */
const MANY_SECONDS = 25;
const MODES = ['LIVE', 'TEST'] as const;

/**
 * Stops, or lets go on, all marketing and all that campaigns, journeys and automations send, in both modes.
 * It answers once nothing more leaves: what a provider had in hand has ended, or 15 s have passed. Afterwards
 * everything goes on from where it was. Doing it again changes nothing. Audited.
 */
export async function setSendingStopped(ctx: Context, stopped: boolean): Promise<MessageSettings> {
  const changed = await ctx.transaction(async (tx) => {
    const at = await writeStopped(tx, stopped);
    if (!at) return false;
    const resource = { resourceType: 'MessageSettings', resourceId: tx.scope.workspaceId };
    await audit(tx, { action: 'setSendingStopped', ...resource, after: { isStopped: stopped } });
    if (!stopped) await release(tx);
    return true;
  });
  if (stopped && changed) await takeAllBack(ctx);
  return getMessageSettings(ctx);
}

/** Does the workspace send no marketing, nor anything of campaigns, journeys and automations? */
export const isSendingStopped = async (ctx: Context): Promise<boolean> => (await findStopped(ctx)) !== null;

async function release(tx: Context): Promise<void> {
  await setStatementTimeout(tx, { statement: MANY_SECONDS });
  for (const there of inBothModes(tx)) await giveFree(there);
  tx.afterCommit(() => tx.services.live.publish(MESSAGES_CHANNEL, 'new'));
}

/**
 * Only now, because whoever takes messages after this commit reads the settings later and gives them back by
 * itself; those who did before have taken them when this begins.
 */
async function takeAllBack(ctx: Context): Promise<void> {
  const waits = inBothModes(ctx).map(async (there) => untilHandedOver(there, await takeBack(there)));
  await Promise.all(waits);
}

const inBothModes = (ctx: Context): Context[] => {
  const { workspaceId } = ctx.scope;
  return MODES.map((mode) => ctx.as(systemCaller('stop-sending', { workspaceId, mode })));
};
