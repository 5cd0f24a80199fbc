import { mapIterator } from '@loyalty/platform/base/iterators';
import type { Context } from '@loyalty/platform/context';
import { watchWorkspaceEvents } from '@loyalty/platform/subscriptions/watch-events';
import { catalogByKey } from '../events/catalog-events.ts';
import { type EventBody, eventBody } from '../events/event-body.ts';
import { findMember } from '../peers.ts';
import { checkEventTypes } from './endpoints.input.ts';

/** An event as an endpoint receives it. */
export interface WebhookMessage {
  readonly id: string;
  readonly type: string;
  readonly body: EventBody;
}

/**
 * Watches the events of the workspace and mode in the form in which endpoints receive them.
 *
 * @param eventTypes - keys of the catalog; null for all
 * @throws AppError VALIDATION_FAILED, EVENT_TYPE_UNKNOWN (400)
 */
export function watchMessages(
  ctx: Context,
  eventTypes: readonly string[] | null,
): AsyncIterableIterator<WebhookMessage, undefined> {
  const wanted = new Set(eventTypes ? checkEventTypes('eventTypes', eventTypes) : catalogByKey.keys());
  let sequence = 0;
  return mapIterator(watchWorkspaceEvents(ctx), {
    async map({ id, type, createdAt, payload }) {
      if (!wanted.has(type)) return undefined;
      const known = payload as Readonly<Record<string, unknown>>;
      const tier = await tierOf(ctx, type, known['memberId']);
      sequence += 1;
      return { id, type, body: eventBody({ id, type, createdAt, sequence, tier, payload: known }) };
    },
  });
}

/** Name of the member's tier, for events that show it. */
async function tierOf(ctx: Context, type: string, memberId: unknown): Promise<string | null> {
  if (!catalogByKey.get(type)?.showsTier || typeof memberId !== 'string') return null;
  return (await findMember(ctx, memberId))?.tierName ?? null;
}
