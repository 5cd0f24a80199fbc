import { SECOND_MS } from '@loyalty/platform/base/clock';
import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import { loop } from '@loyalty/platform/work/loops';
import { catalogByKey } from '../events/catalog-events.ts';
import { WEBHOOK_DELIVERIES_CHANNEL } from './delivery-channels.ts';
import { keepEvents, makeDeliveries, WEBHOOK_EVENTS_CHANNEL } from './fan-out.service.ts';
import { drain, sendDue } from './sending.service.ts';

/** Stores the events that endpoints subscribe to. */
export const keepWebhookEvents: EventConsumer = {
  name: 'engagement.keep-webhook-events',
  types: new Set(catalogByKey.keys()),
  take: keepEvents,
};

/**
 * Makes the deliveries of stored events. Only one worker does so, so that events are numbered in their order.
 */
export const makeDeliveriesLoop = loop('engagement.make-deliveries', {
  places: 1,
  wakes: WEBHOOK_EVENTS_CHANNEL,
  turn: async (ctx) => ((await makeDeliveries(ctx)).isMore ? 0 : SECOND_MS),
});

/** Sends deliveries. One worker sends many requests at the same time. */
export const sendDeliveriesLoop = loop('engagement.send-deliveries', {
  places: 1,
  wakes: WEBHOOK_DELIVERIES_CHANNEL,
  turn: sendDue,
  drain,
});
