import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '@loyalty/platform/context';
import { endOfWait } from '@loyalty/platform/database/create-context';
import { publish } from '@loyalty/platform/work/events';
import { heldSources, holdSource, releaseSource } from '../limits/limits.service.ts';
import { MESSAGES_CHANNEL, publishMoved, sourceChannel } from '../limits/message-queue.ts';
import { deletePushes, pushesInHands, releasePushes } from '../push/push-sending.service.ts';
import { sourceChanged } from './messages.events.ts';
import {
  cancelQueued,
  clickedLinks,
  countsOf,
  fenceTaken,
  foldedMessages,
  type MessageCount,
  releaseHeld,
  releaseTaken,
  type SourceLink,
  stillInHands,
} from './source-messages.store.ts';

export type { MessageCount, SourceLink };
export { foldedMessages, sourceChannel };

/** As long as a request to a provider takes at most. */
const WAIT_MS_MAX = 15_000;
/** Messages that one transaction gives back or cancels; while it runs, nobody sends. */
const BATCH = 5_000;
const POLL_MS = 50;
const LINKS_MAX = 100;

/**
 * Holds the messages of a campaign, journey or automation, those that are queued and those that will be, also
 * those that a worker has taken and not handed over yet. Ask `waitForMessages` after the commit: from then on
 * nothing leaves.
 */
export async function holdMessages(tx: Context, sourceId: string): Promise<void> {
  await holdSource(tx, sourceId, { forever: false });
  await fenceTaken(tx, sourceId);
  publishMoved(tx, [sourceId]);
}

/**
 * Lets held messages be sent again; those that were being sent when they were held are not sent twice. Many
 * messages follow in the background.
 */
export async function releaseMessages(tx: Context, sourceId: string): Promise<void> {
  await releaseSource(tx, sourceId);
  await releaseTaken(tx, sourceId);
  await releasePushes(tx, sourceId);
  await moveFirst(tx, sourceId);
}

/**
 * Skips the messages of a source for good, also held ones; the reason is CANCELLED. Many messages follow in
 * the background; none of them is sent meanwhile.
 */
export async function cancelMessages(tx: Context, sourceId: string): Promise<void> {
  await holdSource(tx, sourceId, { forever: true });
  await fenceTaken(tx, sourceId);
  await deletePushes(tx, sourceId);
  await moveFirst(tx, sourceId);
}

async function moveFirst(tx: Context, sourceId: string): Promise<void> {
  if (await moveBatch(tx, sourceId)) await publish(tx, sourceChanged, { sourceId });
}

/** After a release or a cancellation: gives back, or cancels, what is left of the messages of a source. */
export async function moveMessagesOf(ctx: Context, sourceId: string): Promise<void> {
  while (await ctx.transaction((tx) => moveBatch(tx, sourceId)));
}

/** Returns whether there may be more. A source that is held again keeps its messages. */
async function moveBatch(tx: Context, sourceId: string): Promise<boolean> {
  const isCancelled = (await heldSources(tx, [sourceId])).get(sourceId);
  if (isCancelled === false) return false;
  const move = isCancelled ? cancelQueued : releaseHeld;
  const moved = await move(tx, sourceId, BATCH);
  if (moved > 0 && !isCancelled) tx.afterCommit(() => tx.services.live.publish(MESSAGES_CHANNEL, 'new'));
  publishMoved(tx, [sourceId]);
  return moved === BATCH;
}

/**
 * After `holdMessages` or `cancelMessages` and their commit: resolves when no provider has a message of the
 * source in hand, so that nothing leaves any more; after 15 s in any case, and before the request's time is
 * up. Who took messages just before the commit loses them here; who takes them later reads that the source is
 * held.
 */
export async function waitForMessages(ctx: Context, sourceId: string): Promise<void> {
  await untilHandedOver(ctx, await fenceTaken(ctx, sourceId), sourceId);
}

/**
 * Resolves when the attempts to send these messages have ended, and the pushes of the source, or of all
 * sources, have reached their push services; after 15 s in any case, and before the request's time is up.
 */
export async function untilHandedOver(
  ctx: Context,
  messageIds: readonly string[],
  sourceId: string | null,
): Promise<void> {
  const until = endOfWait(ctx.request, WAIT_MS_MAX);
  let waiting = messageIds;
  let pushes = true;
  while (performance.now() < until && !ctx.request.signal.aborted) {
    if (waiting.length > 0) waiting = await stillInHands(ctx, waiting);
    pushes &&= await pushesInHands(ctx, sourceId);
    if (waiting.length === 0 && !pushes) return;
    await delay(POLL_MS);
  }
}

/**
 * What became of the messages of sources, by node, variant, status and reason; also of those that the log has
 * forgotten.
 */
export const messageCounts = async (ctx: Context, sourceIds: readonly string[]): Promise<MessageCount[]> =>
  sourceIds.length === 0 ? [] : countsOf(ctx, sourceIds);

/** The links that were followed in messages of a source, of those that the log still has; at most 100. */
export const linksOfSource = (ctx: Context, sourceId: string): Promise<SourceLink[]> =>
  clickedLinks(ctx, sourceId, LINKS_MAX);
