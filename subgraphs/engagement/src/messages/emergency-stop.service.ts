import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { publish } from '@loyalty/platform/work/events';
import { isSendingStopped } from '../limits/limits.service.ts';
import { MESSAGES_CHANNEL } from '../limits/message-queue.ts';
import { getMessageSettings } from '../limits/message-settings.service.ts';
import type { MessageSettings } from '../limits/message-settings.store.ts';
import { releasePushes } from '../push/push-sending.service.ts';
import { giveFree, takeBack, writeStopped } from './emergency-stop.store.ts';
import { sendingReleased } from './messages.events.ts';
import { untilHandedOver } from './source-messages.service.ts';

/** Messages that one transaction lets go; while it runs, nobody sends. */
const BATCH = 5_000;
const MODES = ['LIVE', 'TEST'] as const;

/**
 * Stops, or lets go on, all marketing and all that campaigns, journeys and automations send, in both modes.
 * It answers once nothing more leaves: what a provider had in hand has ended, or 15 s have passed. Afterwards
 * everything goes on from where it was, many messages in the background. Doing it again changes nothing.
 * Audited.
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

async function release(tx: Context): Promise<void> {
  for (const there of inBothModes(tx)) {
    await releasePushes(there, null);
    if (await releaseBatch(there)) await publish(there, sendingReleased, {});
  }
}

/** After the stop has ended: lets go what is left of the messages that it held, in the mode of the caller. */
export async function releaseStopped(ctx: Context): Promise<void> {
  while (await ctx.transaction(releaseBatch));
}

/** Returns whether there may be more. Where sending is stopped again, they stay held. */
async function releaseBatch(tx: Context): Promise<boolean> {
  if (await isSendingStopped(tx)) return false;
  const released = await giveFree(tx, BATCH);
  if (released > 0) tx.afterCommit(() => tx.services.live.publish(MESSAGES_CHANNEL, 'new'));
  return released === BATCH;
}

/**
 * Only now, because whoever takes messages after this commit reads the settings later and gives them back by
 * itself; those who did before have taken them when this begins.
 */
async function takeAllBack(ctx: Context): Promise<void> {
  const waits = inBothModes(ctx).map(async (there) => untilHandedOver(there, await takeBack(there), null));
  await Promise.all(waits);
}

const inBothModes = (ctx: Context): Context[] => {
  const { workspaceId } = ctx.scope;
  return MODES.map((mode) => ctx.as(systemCaller('stop-sending', { workspaceId, mode })));
};
