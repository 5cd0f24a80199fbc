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

/** Before the next turn of a message when the database or another subgraph was away: that is no attempt. */
const AWAY_MS = 5_000;

/** What one call of `sendDue` found. */
export interface SendingTurn {
  readonly taken: number;
  /** Messages are under way. */
  readonly isSending: boolean;
}

/**
 * Takes messages of all workspaces that are due and begins to send them; it does not wait for their end.
 *
 * @param ctx - the product itself, of no workspace
 * @remarks Source: requirements L-EML-06, L-UNS-03, L-UNS-08
 */
export async function sendDue(ctx: Context): Promise<SendingTurn> {
  const window = windowOf(ctx.services.http);
  const room = window.room();
  // What had no room may have some meanwhile, also where all else has ended by then.
  const wasSending = !window.isEmpty;
  const { claimed, suspect, ended } = await claimWork(ctx.services, async (maySuspect) =>
    room ? claimMessages(ctx, room, maySuspect) : [],
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

/** Sends messages of one workspace and mode; each ends by itself. */
function sendGroup(ctx: Context, group: readonly ClaimedMessage[]): ReadonlyMap<string, Promise<void>> {
  const [lost, others] = [group.filter(isGivenUp), group.filter((message) => !isGivenUp(message))];
  const givingUp = giveUp(ctx, lost).catch((error: unknown) => giveBack(ctx, lost, error));
  const preparing = prepareMessages(ctx, others).catch(async (error: unknown): Promise<PreparedMessages> => {
    await giveBack(ctx, others, error);
    return { mails: new Map(), pushes: [] };
  });
  const pushing = preparing.then(({ pushes }) =>
    handOverPushes(ctx, pushes).catch((error: unknown) =>
      giveBack(
        ctx,
        pushes.map(({ message }) => message),
        error,
      ),
    ),
  );
  const send = async (message: ClaimedMessage): Promise<void> => {
    const { id, channel } = message;
    if (isGivenUp(message)) return givingUp;
    if (channel === 'WEB_PUSH') return pushing;
    const prepared = (await preparing).mails.get(id);
    if (!prepared) return;
    await handOverMessage(ctx, prepared).catch((error: unknown) => giveBack(ctx, [prepared.message], error));
    publishMoved(ctx, [prepared.message.sourceId]);
  };
  return new Map(group.map((message) => [message.id, send(message)]));
}

/** Fails messages that may be what their workers died of. */
async function giveUp(ctx: Context, messages: readonly ClaimedMessage[]): Promise<void> {
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

/** Lets messages be taken again soon. Where that fails, too, they are once their lease is over. */
async function giveBack(ctx: Context, messages: readonly ClaimedMessage[], error: unknown): Promise<void> {
  // It logs what is unexpected.
  readAppError(error as Error, ctx);
  const dueAt = addMs(ctx.clock.now(), AWAY_MS);
  const moves = messages.map(
    ({ id, claim, rounds }) =>
      ({ id, claim, rounds, status: 'QUEUED', reason: null, detail: null, dueAt }) as const,
  );
  await whenAvailable(() => moveMessages(ctx, moves), ctx.request.signal).catch((failure: Error) =>
    readAppError(failure, ctx),
  );
}

/** Resolves when messages are sent or time is up; true when none is under way any more. */
export async function waitForSending(ctx: Context, ms: number): Promise<boolean> {
  const window = windowOf(ctx.services.http);
  if (!window.isEmpty) await window.changed(ms);
  return window.isEmpty;
}
