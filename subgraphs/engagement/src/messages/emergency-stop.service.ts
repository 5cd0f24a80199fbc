import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { publish } from '@loyalty/platform/work/events';
import { isSendingStopped } from '../limits/limits.service.ts';
import { MESSAGES_CHANNEL } from '../limits/message-queue.ts';
import { getMessageSettings } from '../limits/message-settings.service.ts';
import type { MessageSettings } from '../limits/message-settings.store.ts';
import { releasePushes } from '../push/push-sending.service.ts';
import { releaseInfinite, withdrawStopped, writeStopped } from './emergency-stop.store.ts';
import { sendingReleased } from './messages.events.ts';
import { waitForHandOver } from './source-messages.service.ts';

/** Batch size: messages that one transaction releases. No messages are sent while it runs. */
const BATCH = 5_000;
const MODES = ['LIVE', 'TEST'] as const;

/**
 * Stops or resumes all marketing, and all messages of campaigns, journeys and automations, in both modes. A
 * stop resolves when no more messages leave: when requests to providers have finished, or 15 s have passed.
 * After the stop, sending continues where it was; many messages are released in the background. Has no effect
 * if the state is already set. Audited.
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
  if (stopped && changed) await withdrawAllClaims(ctx);
  return getMessageSettings(ctx);
}

async function release(tx: Context): Promise<void> {
  for (const scoped of inBothModes(tx)) {
    await releasePushes(scoped, null);
    if (await releaseBatch(scoped)) await publish(scoped, sendingReleased, {});
  }
}

/** Releases the remaining messages after the stop has ended, in the mode of the caller. */
export async function releaseStopped(ctx: Context): Promise<void> {
  while (await ctx.transaction(releaseBatch));
}

/** Releases one batch. Returns whether there may be more. If sending is stopped again, messages stay held. */
async function releaseBatch(tx: Context): Promise<boolean> {
  if (await isSendingStopped(tx)) return false;
  const released = await releaseInfinite(tx, BATCH);
  if (released > 0) tx.afterCommit(() => tx.services.live.publish(MESSAGES_CHANNEL, 'new'));
  return released === BATCH;
}

/**
 * Withdraws claimed messages from workers. This must run after the commit: workers that claim messages after
 * the commit read the new settings and hold the messages themselves, and earlier claims are visible now.
 */
async function withdrawAllClaims(ctx: Context): Promise<void> {
  const waits = inBothModes(ctx).map(async (scoped) =>
    waitForHandOver(scoped, await withdrawStopped(scoped), null),
  );
  await Promise.all(waits);
}

const inBothModes = (ctx: Context): Context[] => {
  const { workspaceId } = ctx.scope;
  return MODES.map((mode) => ctx.as(systemCaller('stop-sending', { workspaceId, mode })));
};
