import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import type { Context, Services } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import { claimWork, isGivenUp } from '@loyalty/platform/work/lost-workers';
import { ATTEMPTS_MAX, type Attempt, backoffMs, type ClaimedDelivery } from './attempt.ts';
import {
  deliveriesChannel,
  endpointDeliveriesChannel,
  WEBHOOK_DELIVERIES_CHANNEL,
} from './delivery-channels.ts';
import { sendDelivery } from './send-delivery.service.ts';
import {
  claimDeliveries,
  type EndpointNews,
  noteEndpoints,
  type Position,
  type Result,
  writeResults,
} from './sending.store.ts';
import { createWindow, ENDPOINT_START, type Window } from './sending-window.ts';
import { webhookEndpointDisabled } from './webhooks.events.ts';

/** A worker that has not written the result by then has lost the delivery; a request takes 15 s at most. */
const LEASE_MS = MINUTE_MS;

/** Claims are worth their statement when they may take so many. */
const CLAIM_MIN = 32;

/** Results are written together that come within so long. */
const RESULTS_MS = 10;

const windows = new WeakMap<Services, Window>();

/** The window of this process; the end of a request wakes the loop. */
function windowOf(services: Services): Window {
  const known = windows.get(services);
  if (known) return known;
  let isWaking = false;
  const wake = () => {
    isWaking = false;
    services.live.deliver(WEBHOOK_DELIVERIES_CHANNEL, 'ended');
  };
  const window = createWindow(() => {
    if (!isWaking) setTimeout(wake, RESULTS_MS);
    isWaking = true;
  });
  windows.set(services, window);
  return window;
}

/**
 * Writes what has come of earlier requests and starts what may be sent now. Requests go on beyond the turn:
 * one that takes long delays no other.
 *
 * @returns milliseconds to wait before the next turn
 */
export async function sendDue(ctx: Context): Promise<number> {
  const window = windowOf(ctx.services);
  await writeEnded(ctx, window);
  if (window.room() >= CLAIM_MIN) await startDue(ctx, window);
  return window.ended.length > 0 ? 0 : SECOND_MS;
}

async function startDue(ctx: Context, window: Window): Promise<void> {
  const { position } = window;
  const room = window.room();
  const { claimed, suspect, ended } = await claimWork(ctx.services, (maySuspect) =>
    claimDeliveries(ctx, {
      size: room,
      perEndpoint: ENDPOINT_START,
      rooms: window.rooms(),
      after: position,
      until: addMs(ctx.clock.now(), LEASE_MS),
      maySuspect,
    }),
  );
  // What is left over after a full claim comes first next time.
  window.position = claimed.length === room ? lastOf(claimed) : null;
  for (const delivery of claimed) {
    const send = () => sendDelivery(ctx, delivery);
    window.start(delivery, delivery === suspect ? () => send().finally(ended) : send);
  }
  if (claimed.length === 0 && position !== null) await startDue(ctx, window);
}

/** The endpoint up to which the claim has come. */
function lastOf(claimed: readonly ClaimedDelivery[]): Position | null {
  const positions = claimed.map(
    ({ workspaceId, mode, endpointId }) => [workspaceId, mode, endpointId] as const,
  );
  return positions.toSorted((one, other) => (one.join() < other.join() ? -1 : 1)).at(-1) ?? null;
}

async function writeEnded(ctx: Context, window: Window): Promise<void> {
  const attempts = window.ended.splice(0);
  if (attempts.length === 0) return;
  try {
    await keepResults(ctx, attempts);
  } catch (error) {
    // Until their leases end they can still be written.
    const oldest = addMs(ctx.clock.now(), -LEASE_MS);
    window.ended.push(...attempts.filter(({ startedAt }) => startedAt > oldest));
    throw error;
  }
}

/** Waits for the requests that are under way, and writes their results. */
export async function drain(ctx: Context): Promise<void> {
  const window = windowOf(ctx.services);
  await window.quiet();
  await writeEnded(ctx, window);
}

/** An endpoint that has only failed for so long is disabled. */
const FAILING_MS = 5 * DAY_MS;

/** Answered by an endpoint that is gone for good. */
const GONE = 410;

/**
 * Writes what attempts came to: the next attempt, the log, and the state of the endpoints. Those that are
 * gone or have failed for 5 days are disabled, which is published.
 */
export async function keepResults(ctx: Context, attempts: readonly Attempt[]): Promise<void> {
  await writeResults(
    ctx,
    attempts.map((attempt) => resultOf(ctx, attempt)),
  );
  const news = newsOf(attempts);
  const unnoted = new Set(attempts.flatMap(({ delivery }) => (delivery.isWell ? [] : delivery.endpointId)));
  await noteNews(
    ctx,
    news.filter(({ endpointId, failedAt }) => failedAt !== null || unnoted.has(endpointId)),
  );
  await publishChanges(ctx, news);
}

async function noteNews(ctx: Context, news: readonly EndpointNews[]): Promise<void> {
  if (news.length === 0) return;
  const failingBefore = addMs(ctx.clock.now(), -FAILING_MS);
  await ctx.transaction(async (tx) => {
    for (const { id, reason, ...scope } of await noteEndpoints(tx, news, failingBefore)) {
      const owner = tx.as(systemCaller('send-webhooks', scope));
      await publish(owner, webhookEndpointDisabled, { webhookEndpointId: id, reason });
    }
  });
}

function resultOf(ctx: Context, attempt: Attempt): Result {
  const { outcome, delivery, retryAfterMs } = attempt;
  if (outcome === 'DELIVERED') return { attempt, status: 'DELIVERED', dueAt: null };
  if (outcome === 'REFUSED') return { attempt, status: 'FAILED', dueAt: null };
  const failed = delivery.attempts + 1;
  if (failed >= ATTEMPTS_MAX) return { attempt, status: 'DEAD', dueAt: null };
  const waitMs = backoffMs(failed, retryAfterMs, Math.random());
  return { attempt, status: 'RETRYING', dueAt: addMs(ctx.clock.now(), waitMs) };
}

/** One line for each endpoint that was asked. */
function newsOf(attempts: readonly Attempt[]): EndpointNews[] {
  const sent = attempts.filter(({ delivery }) => !isGivenUp(delivery));
  const ofEndpoints = Map.groupBy(sent, ({ delivery }) => delivery.endpointId);
  return [...ofEndpoints].map(([endpointId, [first, ...others]]) => {
    const all = [first!, ...others].toSorted((one, other) => endOf(one) - endOf(other));
    const success = all.findLast(({ outcome }) => outcome === 'DELIVERED');
    const failures = all.slice(success ? all.indexOf(success) + 1 : 0);
    const failure = failures.at(-1);
    const { workspaceId, mode } = first!.delivery;
    return {
      workspaceId,
      mode,
      endpointId,
      succeededAt: success ? success.startedAt : null,
      failedAt: failure ? failure.startedAt : null,
      error: failure ? failure.error : null,
      isGone: failures.some(({ responseStatus }) => responseStatus === GONE),
    };
  });
}

const endOf = ({ startedAt, durationMs }: Attempt): number => startedAt.getTime() + durationMs;

/** Watchers read what changed: one message for each endpoint and each workspace is enough. */
async function publishChanges({ services }: Context, news: readonly EndpointNews[]): Promise<void> {
  const messages = news.flatMap(({ endpointId, ...scope }) => [
    services.live.publish(deliveriesChannel(scope), endpointId),
    services.live.publish(endpointDeliveriesChannel(scope, endpointId), endpointId),
  ]);
  await Promise.all(messages);
}
