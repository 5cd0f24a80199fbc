import { setTimeout as delay } from 'node:timers/promises';
import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { batched } from '@loyalty/platform/database/batched';
import { publishMoved } from '../limits/message-queue.ts';
import { type Handover, handOver } from '../providers/send-mail.service.ts';
import { sendPushes } from '../push/push-sending.service.ts';
import type { PreparedMessage, PreparedPush } from './preparation.service.ts';
import {
  type EndedAttempt,
  endAttempts,
  type MessageMove,
  markPushesSent,
  moveMessages,
  type NewAttempt,
  startAttempts,
} from './sending.store.ts';

/** How often all providers are tried, and the longest wait after the first round. The wait grows fourfold. */
const ROUNDS_MAX = 8;

const RETRY_MS = 30_000;

const GROWTH = 4;

// Batched: attempts that begin or end at about the same time are written with one statement.
const startAttempt = batched<NewAttempt, number | null>(startAttempts);

const endAttempt = batched<EndedAttempt, void>(async (ctx, ended) => {
  await endAttempts(ctx, ended);
  return ended.map(() => undefined);
});

const move = batched<MessageMove, void>(async (ctx, moves) => {
  await moveMessages(ctx, moves);
  return moves.map(() => undefined);
});

/** Another worker has claimed the message, so this worker must not send it. */
class ClaimLost extends Error {}

/**
 * Hands a message to the first provider that accepts it. Each attempt is stored before it begins, so that a
 * worker that sends the message again knows about it.
 */
export async function handOverMessage(ctx: Context, prepared: PreparedMessage): Promise<void> {
  const { message, mail, history, emailIndex, recipientSealed } = prepared;
  const { id: messageId, claim } = message;
  let isWarned = false;
  try {
    const handover = await handOver(ctx, mail, {
      async started({ id, kind }) {
        const warning = history.warningAt(id, kind);
        isWarned = warning !== null;
        const recipient = { emailIndex, recipientSealed };
        const attempt = { messageId, claim, providerId: id, providerKind: kind, ...recipient, warning };
        const number = await startAttempt(ctx, attempt);
        if (number === null) throw new ClaimLost();
        return number;
      },
      ended: (number, outcome) =>
        withRetries(() => endAttempt(ctx, { messageId, number, isWarned, ...outcome })),
      skip: history.skip,
    });
    if (handover.outcome !== 'ACCEPTED') await withRetries(() => move(ctx, moveOf(ctx, message, handover)));
  } catch (error) {
    if (!(error instanceof ClaimLost)) throw error;
  }
}

function moveOf(
  ctx: Context,
  { id, claim, rounds }: PreparedMessage['message'],
  { outcome }: Handover,
): MessageMove {
  const tried = { id, claim, detail: null, rounds: rounds + 1 };
  if (outcome === 'REJECTED') return { ...tried, status: 'FAILED', reason: 'REJECTED', dueAt: null };
  const reason = outcome === 'CREDENTIALS' ? 'CREDENTIALS_REFUSED' : 'PROVIDERS_UNAVAILABLE';
  if (tried.rounds >= ROUNDS_MAX) return { ...tried, status: 'FAILED', reason, dueAt: null };
  const waitMs = Math.random() * RETRY_MS * GROWTH ** rounds;
  return { ...tried, status: 'QUEUED', reason, dueAt: addMs(ctx.clock.now(), waitMs) };
}

const WRITES_MAX = 5;

const REWRITE_MS = 1_000;

/** Retries a write, because the outcome of a provider must not be lost. */
async function withRetries(write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries === WRITES_MAX) throw error;
      await delay(REWRITE_MS);
    }
  }
}

/**
 * Queues notifications for the browsers and marks their messages as sent, in one transaction, so that a crash
 * neither loses nor repeats any.
 */
export async function handOverPushes(ctx: Context, pushes: readonly PreparedPush[]): Promise<void> {
  if (pushes.length === 0) return;
  await ctx.transaction(async (tx) => {
    const sent = await markPushesSent(
      tx,
      pushes.map(({ message }) => message),
    );
    const going = pushes.filter(({ message }) => sent.has(message.id));
    await sendPushes(
      tx,
      going.map(({ message: { sourceId }, notification, browsers }) => ({
        notification,
        subscriptionIds: browsers,
        sourceId,
      })),
    );
    publishMoved(
      tx,
      going.map(({ message }) => message.sourceId),
    );
  });
}
