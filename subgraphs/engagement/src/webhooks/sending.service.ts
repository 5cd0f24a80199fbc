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
  type EndpointHealth,
  type Position,
  type Result,
  updateHealth,
  writeResults,
} from './sending.store.ts';
import { createWindow, ENDPOINT_START, type Window } from './sending-window.ts';
import { webhookEndpointDisabled } from './webhooks.events.ts';

/**
 * Lease of a claimed delivery. After it, another worker may claim the delivery. A request takes at most 15 s.
 */
const LEASE_MS = MINUTE_MS;

/** Minimum free capacity for a claim: fewer deliveries are not worth a statement. */
const CLAIM_MIN = 32;

/** Window in which results are collected and written together. */
const RESULTS_MS = 10;

const windows = new WeakMap<Services, Window>();

/** Returns the window of this process. The end of a request wakes the loop. */
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
 * Writes the results of finished requests and starts due deliveries. Does not wait for the requests, so that
 * a slow request delays no other.
 *
 * @returns the time to wait before the next turn, in milliseconds
 */
export async function sendDue(ctx: Context): Promise<number> {
  const window = windowOf(ctx.services);
  await writeEnded(ctx, window);
  if (window.capacity() >= CLAIM_MIN) await startDue(ctx, window);
  return window.ended.length > 0 ? 0 : SECOND_MS;
}

async function startDue(ctx: Context, window: Window): Promise<void> {
  const { position } = window;
  const capacity = window.capacity();
  const { claimed, suspect, ended } = await claimWork(ctx.services, (maySuspect) =>
    claimDeliveries(ctx, {
      size: capacity,
      perEndpoint: ENDPOINT_START,
      capacities: window.capacities(),
      after: position,
      until: addMs(ctx.clock.now(), LEASE_MS),
      maySuspect,
    }),
  );
  // After a full claim, the next claim continues with the endpoints that follow.
  window.position = claimed.length === capacity ? lastOf(claimed) : null;
  for (const delivery of claimed) {
    const send = () => sendDelivery(ctx, delivery);
    window.start(delivery, delivery === suspect ? () => send().finally(ended) : send);
  }
  if (claimed.length === 0 && position !== null) await startDue(ctx, window);
}

/** The last endpoint of a claim. */
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
    // Results can be written until their leases end.
    const oldest = addMs(ctx.clock.now(), -LEASE_MS);
    window.ended.push(...attempts.filter(({ startedAt }) => startedAt > oldest));
    throw error;
  }
}

/** Waits for the running requests and writes their results. */
export async function drain(ctx: Context): Promise<void> {
  const window = windowOf(ctx.services);
  await window.idle();
  await writeEnded(ctx, window);
}

/** An endpoint without a success for this time is disabled. */
const FAILING_MS = 5 * DAY_MS;

/** The HTTP status of an endpoint that is permanently gone. */
const GONE = 410;

/**
 * Writes the results of attempts: the next attempt, the log, and the health of the endpoints. Endpoints that
 * are gone or have failed for 5 days are disabled, and an event is published.
 */
export async function keepResults(ctx: Context, attempts: readonly Attempt[]): Promise<void> {
  await writeResults(
    ctx,
    attempts.map((attempt) => resultOf(ctx, attempt)),
  );
  const health = healthOf(attempts);
  const unrecorded = new Set(
    attempts.flatMap(({ delivery }) => (delivery.isHealthy ? [] : delivery.endpointId)),
  );
  await recordHealth(
    ctx,
    health.filter(({ endpointId, failedAt }) => failedAt !== null || unrecorded.has(endpointId)),
  );
  await publishChanges(ctx, health);
}

async function recordHealth(ctx: Context, health: readonly EndpointHealth[]): Promise<void> {
  if (health.length === 0) return;
  const failingBefore = addMs(ctx.clock.now(), -FAILING_MS);
  await ctx.transaction(async (tx) => {
    for (const { id, reason, ...scope } of await updateHealth(tx, health, failingBefore)) {
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

/** The health of each endpoint of the attempts. */
function healthOf(attempts: readonly Attempt[]): EndpointHealth[] {
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

/** Publishes one message for each endpoint and each workspace. Watchers then read the changes. */
async function publishChanges({ services }: Context, health: readonly EndpointHealth[]): Promise<void> {
  const messages = health.flatMap(({ endpointId, ...scope }) => [
    services.live.publish(deliveriesChannel(scope), endpointId),
    services.live.publish(endpointDeliveriesChannel(scope, endpointId), endpointId),
  ]);
  await Promise.all(messages);
}
