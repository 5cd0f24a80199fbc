import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/loading/pages';
import { type EventBody, eventBody } from '../../events/catalog/event-body.ts';
import { findEndpoint, type WebhookEndpoint } from '../endpoints/endpoints.service.ts';
import {
  attemptsByDelivery,
  type DeliveryFilter,
  deliveriesPage,
  deliveryById,
  eventById,
  type WebhookAttempt,
  type WebhookDelivery,
} from './deliveries.store.ts';

export type { WebhookAttempt, WebhookDelivery };

type Asked<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** One delivery of the caller's workspace and mode; null when there is none. */
export const findDelivery = (ctx: Context, id: string): Promise<WebhookDelivery | null> =>
  ctx.load(deliveryById, id);

/**
 * Deliveries of the caller's workspace and mode, newest first.
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

/** Requests of a delivery that have ended, the first one first. */
export const attemptsOf = async (ctx: Context, { id }: WebhookDelivery): Promise<WebhookAttempt[]> =>
  (await ctx.load(attemptsByDelivery, id)) ?? [];

/** Null once the endpoint was deleted. */
export const endpointOf = (ctx: Context, { endpointId }: WebhookDelivery): Promise<WebhookEndpoint | null> =>
  findEndpoint(ctx, endpointId);

/** What is sent; null once the event is kept no longer. */
export async function bodyOf(ctx: Context, { eventId }: WebhookDelivery): Promise<EventBody | null> {
  const event = await ctx.load(eventById, eventId);
  return event && eventBody(event);
}
