import { setTimeout as delay } from 'node:timers/promises';
import { addMs, SECOND_MS } from '@loyalty/platform/base/clock';
import { NO_ID } from '@loyalty/platform/base/ids';
import { asyncIterator, DONE } from '@loyalty/platform/base/iterators';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { whenAvailable } from '@loyalty/platform/database/when-available';
import { liveIterator } from '@loyalty/platform/live/live-iterator';
import { LRUCache } from 'lru-cache';
import { type EventBody, eventBody } from '../events/event-body.ts';
import {
  attemptsByDelivery,
  type ChangeCursor,
  changedDeliveries,
  type DeliveryFilter,
  deliveriesPage,
  deliveryById,
  eventById,
  type WebhookAttempt,
  type WebhookDelivery,
} from './deliveries.store.ts';
import { deliveriesChannel, endpointDeliveriesChannel } from './delivery-channels.ts';
import { findEndpoint, getEndpoint, type WebhookEndpoint } from './endpoints.service.ts';

export type { WebhookAttempt, WebhookDelivery };

type Asked<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Returns a delivery of the caller's workspace and mode, or null. */
export const findDelivery = (ctx: Context, id: string): Promise<WebhookDelivery | null> =>
  ctx.load(deliveryById, id);

/**
 * Lists deliveries of the caller's workspace and mode, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 * @remarks Source: v2 REST API, section 6.7
 */
export async function listDeliveries(
  ctx: Context,
  args: PageArgs & Asked<DeliveryFilter>,
): Promise<Page<WebhookDelivery>> {
  const {
    endpointId = null,
    status = null,
    eventType = null,
    createdFrom = null,
    createdUntil = null,
  } = args;
  const filter = { endpointId, status, eventType, createdFrom, createdUntil };
  return deliveriesPage(ctx, pageRequest(args), filter);
}

/** Lists the finished attempts of a delivery, oldest first. */
export const attemptsOf = async (ctx: Context, { id }: WebhookDelivery): Promise<WebhookAttempt[]> =>
  (await ctx.load(attemptsByDelivery, id)) ?? [];

/** Returns the endpoint of a delivery, or null if it was deleted. */
export const endpointOf = (ctx: Context, { endpointId }: WebhookDelivery): Promise<WebhookEndpoint | null> =>
  findEndpoint(ctx, endpointId);

/** Returns the body of a delivery, or null if the event was pruned. */
export async function bodyOf(ctx: Context, { eventId }: WebhookDelivery): Promise<EventBody | null> {
  const event = await ctx.load(eventById, eventId);
  return event && eventBody(event);
}

/** Minimum interval between two reads. */
const INTERVAL_MS = 250;

const ROWS_MAX = 100;

/** Time range that is read again, because changes are not committed in the order of their times. */
const OVERLAP_MS = 2 * SECOND_MS;

/** Deliveries that a watcher remembers, so that no change is sent twice. */
const SEEN_MAX = 10_000;

/**
 * Watches new and changed deliveries, in their state at the time of reading, with at most four reads a
 * second. Rows are read only as fast as the watcher takes them, so a slow watcher gets fewer, newer states.
 *
 * @param endpointId - null for the whole workspace
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND (404)
 */
export async function watchDeliveries(
  ctx: Context,
  endpointId: string | null,
): Promise<AsyncIterableIterator<WebhookDelivery, undefined>> {
  const { scope, services } = ctx;
  const { signal, missedMs } = ctx.request;
  const channel = endpointId ? endpointDeliveriesChannel(scope, endpointId) : deliveriesChannel(scope);
  const changes = liveIterator(services.live, channel, {
    signal,
    isResumed: missedMs > 0,
    // Missed changes are read from the cursor of the last read, as all changes are.
    missed: async () => ['missed'],
  });
  const readNext = await openReader(ctx, endpointId).catch(async (error: unknown) => {
    await changes.return?.();
    throw error;
  });
  let kept: WebhookDelivery[] = [];
  let isMore = false;
  let readAt = Number.NEGATIVE_INFINITY;

  async function next(): Promise<IteratorResult<WebhookDelivery, undefined>> {
    for (;;) {
      const first = kept.shift();
      if (first) return { done: false, value: first };
      if (!isMore) {
        if ((await changes.next()).done) return DONE;
        await delay(Math.max(0, readAt + INTERVAL_MS - performance.now()));
      }
      if (signal.aborted) return DONE;
      readAt = performance.now();
      ({ kept, isMore } = await whenAvailable(readNext, signal));
    }
  }

  return asyncIterator(next, async () => void (await changes.return?.()));
}

async function openReader(ctx: Context, endpointId: string | null) {
  if (endpointId) await getEndpoint(ctx, endpointId);
  return readerOf(ctx, endpointId);
}

interface Changes {
  readonly kept: WebhookDelivery[];
  /** There may be more changes than were read. */
  readonly isMore: boolean;
}

/**
 * Returns a function that reads the next changes, in their order; the first read begins now. After all
 * changes were read, the next read begins OVERLAP_MS earlier and skips known changes.
 */
async function readerOf(ctx: Context, endpointId: string | null): Promise<() => Promise<Changes>> {
  const seen = new LRUCache<string, string>({ max: SEEN_MAX });
  const isNew = ({ id, status, attemptCount }: WebhookDelivery): boolean => {
    const version = `${status}:${attemptCount}`;
    if (seen.get(id) === version) return false;
    seen.set(id, version);
    return true;
  };
  let lastAt = addMs(ctx.clock.now(), -ctx.request.missedMs);
  const before = (): ChangeCursor => ({ updatedAt: addMs(lastAt, -OVERLAP_MS), id: NO_ID });
  let cursor = before();
  // Without an interruption, the changes before this call are marked as known.
  if (ctx.request.missedMs === 0) (await changedDeliveries(ctx, endpointId, cursor, SEEN_MAX)).forEach(isNew);
  return async () => {
    const rows = await changedDeliveries(ctx, endpointId, cursor, ROWS_MAX);
    const last = rows.at(-1);
    if (last && last.updatedAt > lastAt) lastAt = last.updatedAt;
    const isMore = rows.length === ROWS_MAX;
    cursor = isMore ? last! : before();
    return { kept: rows.filter(isNew), isMore };
  };
}
