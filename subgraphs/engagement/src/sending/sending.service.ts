import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { whenAvailable } from '@loyalty/platform/database/when-available';
import { readAppError } from '@loyalty/platform/graph/graph-errors';
import { claimWork, isGivenUp, WORKER_LOST } from '@loyalty/platform/work/lost-workers';
import { publishMoved } from '../limits/message-queue.ts';
import { handOverMessage, handOverPushes } from './hand-overs.service.ts';
import { type PreparedMessages, prepareMessages } from './preparation.service.ts';
import { type ClaimedMessage, claimMessages, moveMessages } from './sending.store.ts';
import { windowOf } from './sending-window.ts';

/**
 * Delay of a message after the database or another subgraph was unavailable. This does not count as an
 * attempt.
 */
const UNAVAILABLE_DELAY_MS = 5_000;

/** The result of a call of `sendDue`. */
export interface SendingTurn {
  readonly taken: number;
  /** Messages are being sent. */
  readonly isSending: boolean;
}

/**
 * Claims due messages of all workspaces and starts to send them. Does not wait until they are sent.
 *
 * @param ctx - a context of the product, without a workspace
 * @remarks Source: requirements L-EML-06, L-UNS-03, L-UNS-08
 */
export async function sendDue(ctx: Context): Promise<SendingTurn> {
  const window = windowOf(ctx.services.http);
  const capacity = window.capacity();
  // Messages that had no capacity may have some by now, even if all others have been sent meanwhile.
  const wasSending = !window.isEmpty;
  const { claimed, suspect, ended } = await claimWork(ctx.services, async (maySuspect) =>
    capacity ? claimMessages(ctx, capacity, maySuspect) : [],
  );
  const groups = Map.groupBy(claimed, ({ workspaceId, mode }) => `${workspaceId} ${mode}`);
  for (const group of groups.values()) {
    const { workspaceId, mode } = group[0]!;
    const inWorkspace = ctx.as(systemCaller('send-messages', { workspaceId, mode }));
    const sent = sendGroup(inWorkspace, group);
    for (const message of group) {
      const work = sent.get(message.id)!;
      window.run(message, message === suspect ? work.finally(ended) : work);
    }
  }
  return { taken: claimed.length, isSending: wasSending || !window.isEmpty };
}

/** Sends messages of one workspace and mode. Returns a promise for each message. */
function sendGroup(ctx: Context, group: readonly ClaimedMessage[]): ReadonlyMap<string, Promise<void>> {
  const [lost, others] = [group.filter(isGivenUp), group.filter((message) => !isGivenUp(message))];
  const failing = failSuspects(ctx, lost).catch((error: unknown) => requeue(ctx, lost, error));
  const preparing = prepareMessages(ctx, others).catch(async (error: unknown): Promise<PreparedMessages> => {
    await requeue(ctx, others, error);
    return { mails: new Map(), pushes: [] };
  });
  const pushing = preparing.then(({ pushes }) =>
    handOverPushes(ctx, pushes).catch((error: unknown) =>
      requeue(
        ctx,
        pushes.map(({ message }) => message),
        error,
      ),
    ),
  );
  const send = async (message: ClaimedMessage): Promise<void> => {
    const { id, channel } = message;
    if (isGivenUp(message)) return failing;
    if (channel === 'WEB_PUSH') return pushing;
    const prepared = (await preparing).mails.get(id);
    if (!prepared) return;
    await handOverMessage(ctx, prepared).catch((error: unknown) => requeue(ctx, [prepared.message], error));
    publishMoved(ctx, [prepared.message.sourceId]);
  };
  return new Map(group.map((message) => [message.id, send(message)]));
}

/** Fails messages whose workers were lost repeatedly: the messages may be the cause. */
async function failSuspects(ctx: Context, messages: readonly ClaimedMessage[]): Promise<void> {
  const end = { status: 'FAILED', reason: WORKER_LOST, detail: null, dueAt: null } as const;
  await moveMessages(
    ctx,
    messages.map(({ id, claim, rounds }) => ({ id, claim, rounds, ...end })),
  );
  if (messages.length > 0)
    publishMoved(
      ctx,
      messages.map(({ sourceId }) => sourceId),
    );
}

/** Makes messages due again soon. If that fails, too, they are due when their lease ends. */
async function requeue(ctx: Context, messages: readonly ClaimedMessage[], error: unknown): Promise<void> {
  // Logs an unexpected error.
  readAppError(error as Error, ctx);
  const dueAt = addMs(ctx.clock.now(), UNAVAILABLE_DELAY_MS);
  const moves = messages.map(
    ({ id, claim, rounds }) =>
      ({ id, claim, rounds, status: 'QUEUED', reason: null, detail: null, dueAt }) as const,
  );
  await whenAvailable(() => moveMessages(ctx, moves), ctx.request.signal).catch((failure: Error) =>
    readAppError(failure, ctx),
  );
}

/** Resolves when capacity is free or `ms` have passed; true if no messages are being sent. */
export async function waitForSending(ctx: Context, ms: number): Promise<boolean> {
  const window = windowOf(ctx.services.http);
  if (!window.isEmpty) await window.changed(ms);
  return window.isEmpty;
}
