import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '@loyalty/platform/context';
import { setStatementTimeout } from '@loyalty/platform/operations/statement-timeout';
import { MESSAGES_CHANNEL, publishMoved, sourceChannel } from '../queue/message-channels.ts';
import {
  clickedLinks,
  countsOf,
  foldedMessages,
  type MessageCount,
  type SourceLink,
} from './source-counts.store.ts';
import {
  cancelQueued,
  deleteHeld,
  fenceTaken,
  findHeld,
  insertHeld,
  releaseHeld,
  stillInHands,
} from './source-messages.store.ts';

export type { MessageCount, SourceLink };
export { foldedMessages, sourceChannel };

/** As long as a request to a provider takes at most. */
const WAIT_MS_MAX = 15_000;
/** For statements over all messages of a source, in seconds; a transaction has 30. */
const MANY_SECONDS = 25;
const POLL_MS = 50;
const LINKS_MAX = 100;

/**
 * Holds the messages of a campaign, journey or automation, those that are queued and those that will be, also
 * those that a worker has taken and not handed over yet. Ask `waitForMessages` after the commit: from then on
 * nothing leaves.
 */
export async function holdMessages(tx: Context, sourceId: string): Promise<void> {
  await insertHeld(tx, sourceId, false);
  await fenceTaken(tx, sourceId);
  publishMoved(tx, [sourceId]);
}

/** Lets held messages be sent again; those that were being sent when they were held are not sent twice. */
export async function releaseMessages(tx: Context, sourceId: string): Promise<void> {
  await setStatementTimeout(tx, { statement: MANY_SECONDS });
  await deleteHeld(tx, sourceId);
  const released = await releaseHeld(tx, sourceId);
  if (released > 0) tx.afterCommit(() => tx.services.live.publish(MESSAGES_CHANNEL, 'new'));
  publishMoved(tx, [sourceId]);
}

/** Skips the messages of a source for good, also held ones; the reason is CANCELLED. */
export async function cancelMessages(tx: Context, sourceId: string): Promise<void> {
  await setStatementTimeout(tx, { statement: MANY_SECONDS });
  await insertHeld(tx, sourceId, true);
  await cancelQueued(tx, sourceId);
  await fenceTaken(tx, sourceId);
  publishMoved(tx, [sourceId]);
}

/**
 * After `holdMessages` or `cancelMessages` and their commit: resolves when no provider has a message of the
 * source in hand, so that nothing leaves any more; after 15 s in any case. Who took messages just before the
 * commit loses them here; who takes them later reads that the source is held.
 */
export async function waitForMessages(ctx: Context, sourceId: string): Promise<void> {
  await untilHandedOver(ctx, await fenceTaken(ctx, sourceId));
}

/** Those of the sources of which nothing is sent, and whether they are cancelled. */
export const heldSources = async (
  ctx: Context,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> =>
  sourceIds.length === 0 ? new Map() : findHeld(ctx, [...new Set(sourceIds)]);

/** Resolves when the attempts to send these messages have ended; after 15 s in any case. */
export async function untilHandedOver(ctx: Context, messageIds: readonly string[]): Promise<void> {
  const until = performance.now() + WAIT_MS_MAX;
  let waiting = messageIds;
  while (waiting.length > 0 && performance.now() < until && !ctx.signal.aborted) {
    waiting = await stillInHands(ctx, waiting);
    if (waiting.length > 0) await delay(POLL_MS);
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
