import { loop } from '@loyalty/platform/outbox/loops';
import { WEBHOOK_DELIVERIES_CHANNEL } from '../endpoints/delivery-channels.ts';
import { drain, sendDue } from './sending.service.ts';

/** Sends deliveries: one place, which has many requests under way. */
export const sendDeliveriesLoop = loop('engagement.send-deliveries', {
  places: 1,
  wakes: WEBHOOK_DELIVERIES_CHANNEL,
  turn: sendDue,
  drain,
});
