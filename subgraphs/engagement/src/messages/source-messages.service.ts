import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '@loyalty/platform/context';
import { endOfWait } from '@loyalty/platform/database/create-context';
import { publish } from '@loyalty/platform/work/events';
import { heldSources, holdSource, releaseSource } from '../limits/limits.service.ts';
import { MESSAGES_CHANNEL, publishMoved, sourceChannel } from '../limits/message-queue.ts';
import { deletePushes, hasRunningPushes, releasePushes } from '../push/push-sending.service.ts';
import { sourceChanged } from './messages.events.ts';
import {
  cancelQueued,
  clickedLinks,
  countsOf,
  foldedMessages,
  type MessageCount,
  releaseHeld,
  releaseWithdrawn,
  type SourceLink,
  withdrawClaims,
  withOpenAttempts,
} from './source-messages.store.ts';

export type { MessageCount, SourceLink };
export { foldedMessages, sourceChannel };

/** Maximum duration of a request to a provider. */
const WAIT_MS_MAX = 15_000;
/** Batch size: messages that one transaction releases or cancels. No messages are sent while it runs. */
const BATCH = 5_000;
const POLL_MS = 50;
const LINKS_MAX = 100;

/**
 * Holds the messages of a campaign, journey or automation: queued ones, later ones, and those that a worker
 * has claimed but not handed over yet. Call `waitForMessages` after the commit; after that, no message
 * leaves.
 */
export async function holdMessages(tx: Context, sourceId: string): Promise<void> {
  await holdSource(tx, sourceId, { forever: false });
  await withdrawClaims(tx, sourceId);
  publishMoved(tx, [sourceId]);
}

/**
 * Releases held messages. Messages that were being sent when they were held are not sent twice. After the
 * first batch, messages are released in the background.
 */
export async function releaseMessages(tx: Context, sourceId: string): Promise<void> {
  await releaseSource(tx, sourceId);
  await releaseWithdrawn(tx, sourceId);
  await releasePushes(tx, sourceId);
  await moveFirstBatch(tx, sourceId);
}

/**
 * Cancels all messages of a source, including held ones: their status becomes SKIPPED with the reason
 * CANCELLED. After the first batch, messages are cancelled in the background. None of them is sent meanwhile.
 */
export async function cancelMessages(tx: Context, sourceId: string): Promise<void> {
  await holdSource(tx, sourceId, { forever: true });
  await withdrawClaims(tx, sourceId);
  await deletePushes(tx, sourceId);
  await moveFirstBatch(tx, sourceId);
}

async function moveFirstBatch(tx: Context, sourceId: string): Promise<void> {
  if (await moveBatch(tx, sourceId)) await publish(tx, sourceChanged, { sourceId });
}

/** Releases or cancels the remaining messages of a source, after a release or a cancellation. */
export async function moveMessagesOf(ctx: Context, sourceId: string): Promise<void> {
  while (await ctx.transaction((tx) => moveBatch(tx, sourceId)));
}

/**
 * Releases or cancels one batch. Returns whether there may be more. If the source is held again, its messages
 * stay held.
 */
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
 * Waits until no provider is processing a message of the source, so that no more messages leave. Resolves at
 * the latest after 15 s, and before the deadline of the request. Call it after the commit of `holdMessages`
 * or `cancelMessages`: claims from just before the commit are withdrawn here, and later claims read that the
 * source is held.
 */
export async function waitForMessages(ctx: Context, sourceId: string): Promise<void> {
  await waitForHandOver(ctx, await withdrawClaims(ctx, sourceId), sourceId);
}

/**
 * Waits until the attempts to send these messages have finished, and the notifications of the source, or of
 * all sources, have reached their push services. Resolves at the latest after 15 s, and before the deadline
 * of the request.
 */
export async function waitForHandOver(
  ctx: Context,
  messageIds: readonly string[],
  sourceId: string | null,
): Promise<void> {
  const until = endOfWait(ctx.request, WAIT_MS_MAX);
  let waiting = messageIds;
  let pushes = true;
  while (performance.now() < until && !ctx.request.signal.aborted) {
    if (waiting.length > 0) waiting = await withOpenAttempts(ctx, waiting);
    pushes &&= await hasRunningPushes(ctx, sourceId);
    if (waiting.length === 0 && !pushes) return;
    await delay(POLL_MS);
  }
}

/**
 * Counts the messages of sources by node, variant, status and reason, including messages that were pruned
 * from the log.
 */
export const messageCounts = async (ctx: Context, sourceIds: readonly string[]): Promise<MessageCount[]> =>
  sourceIds.length === 0 ? [] : countsOf(ctx, sourceIds);

/** Lists the clicked links of messages of a source that are still in the log; at most 100. */
export const linksOfSource = (ctx: Context, sourceId: string): Promise<SourceLink[]> =>
  clickedLinks(ctx, sourceId, LINKS_MAX);
