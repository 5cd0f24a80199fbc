import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, MINUTE_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { whenAvailable } from '@loyalty/platform/database/when-available';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import { claimWork, isGivenUp, WORKER_LOST } from '@loyalty/platform/work/lost-workers';
import { catalogByKey } from '../events/catalog-events.ts';
import { findMembers } from '../peers.ts';
import { WEBHOOK_DELIVERIES_CHANNEL } from './delivery-channels.ts';
import {
  claimEvents,
  dropEvent,
  insertDeliveries,
  insertSubscribedEvents,
  postponeEvents,
  subscribers,
  type WaitingEvent,
} from './fan-out.store.ts';

/** Live channel that wakes the worker that makes deliveries of events. */
export const WEBHOOK_EVENTS_CHANNEL = 'webhook-events';

/** Batch size: events per claim. */
const BATCH = 200;

/** Lease of claimed events. After it, another worker may claim them. */
const LEASE_MS = MINUTE_MS;

/** Stores the events that endpoints subscribe to. A worker then makes their deliveries. */
export async function keepEvents(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  if (!(await insertSubscribedEvents(tx, events))) return;
  tx.afterCommit(() => tx.services.live.publish(WEBHOOK_EVENTS_CHANNEL, 'new'));
}

/**
 * Makes the deliveries of the oldest waiting events, one for each endpoint that subscribes to them now. If
 * this is interrupted, another worker makes the missing deliveries.
 *
 * @throws the first error of a workspace
 * @returns whether more events may wait
 */
export async function makeDeliveries(ctx: Context): Promise<{ readonly isMore: boolean }> {
  const until = addMs(ctx.clock.now(), LEASE_MS);
  const { claimed, suspect, ended } = await claimWork(ctx.services, (maySuspect) =>
    claimEvents(ctx, BATCH, until, maySuspect),
  );
  try {
    await makeOf(ctx, claimed);
  } finally {
    ended();
  }
  return { isMore: claimed.length === BATCH || suspect !== null };
}

async function makeOf(ctx: Context, claimed: readonly WaitingEvent[]): Promise<void> {
  const events = claimed.filter((event) => !isGivenUp(event));
  for (const event of claimed.filter(isGivenUp)) {
    await dropEvent(ctx.as(systemCaller('make-deliveries', event)), event.id);
    ctx.log.error(
      { eventId: event.id, type: event.type, reason: WORKER_LOST },
      'a webhook event was given up',
    );
  }
  const ofScopes = Map.groupBy(events, ({ workspaceId, mode }) => `${workspaceId} ${mode}`);
  // A failure in one workspace must not delay the others.
  const failures: unknown[] = [];
  for (const [, ofScope] of ofScopes)
    await makeInScope(ctx, ofScope as [WaitingEvent, ...WaitingEvent[]]).catch((error) =>
      failures.push(error),
    );
  if (events.length > 0) await ctx.services.live.publish(WEBHOOK_DELIVERIES_CHANNEL, 'new');
  if (failures.length > 0) throw failures[0];
}

/**
 * Makes the deliveries of one workspace and mode. After a failure, its events are due again after the lease,
 * behind newer events of other workspaces.
 */
async function makeInScope(ctx: Context, events: readonly [WaitingEvent, ...WaitingEvent[]]): Promise<void> {
  const scoped = ctx.as(systemCaller('make-deliveries', events[0]));
  try {
    await insertForSubscribers(scoped, events);
  } catch (error) {
    const ids = events.map(({ id }) => id);
    await whenAvailable(
      () => postponeEvents(scoped, ids, addMs(ctx.clock.now(), LEASE_MS)),
      scoped.request.signal,
    );
    throw error;
  }
}

async function insertForSubscribers(ctx: Context, events: readonly WaitingEvent[]): Promise<void> {
  const endpoints = await subscribers(ctx, [...new Set(events.map(({ type }) => type))]);
  const tiers = await tierNames(ctx, events);
  const deliveries = events.flatMap(({ id: eventId, type }) =>
    endpoints
      .filter(({ eventTypes }) => eventTypes.includes(type))
      .map(({ id: endpointId }) => ({ id: newId(ctx.clock), endpointId, eventId })),
  );
  const numbered = events.map(({ id, memberId }) => ({ id, tier: tiers.get(memberId ?? '') ?? null }));
  await insertDeliveries(ctx, numbered, deliveries);
}

/** Returns tier names by member, for events that show the tier. @throws AppError PEER_UNAVAILABLE (503) */
async function tierNames(
  ctx: Context,
  events: readonly WaitingEvent[],
): Promise<ReadonlyMap<string, string | null>> {
  const shown = events.filter(({ type }) => catalogByKey.get(type)?.showsTier);
  const ids = [...new Set(shown.flatMap(({ memberId }) => memberId ?? []))];
  if (ids.length === 0) return new Map();
  const members = await findMembers(ctx, { ids });
  return new Map(members.map(({ id, tierName }) => [id, tierName]));
}
