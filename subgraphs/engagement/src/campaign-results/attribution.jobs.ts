import { orderCreated } from '@loyalty/commerce-subgraph/orders/orders.events';
import { orderRefunded } from '@loyalty/commerce-subgraph/orders/refunds.events';
import { SECOND_MS } from '@loyalty/platform/base/clock';
import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import { job } from '@loyalty/platform/work/jobs';
import { loop } from '@loyalty/platform/work/loops';
import { z } from 'zod';
import {
  attributeOrders,
  eraseAttributions,
  ORDERS_TO_ATTRIBUTE_CHANNEL,
  storeRelevantOrders,
} from './attribution.service.ts';

/**
 * Stores orders and refunds that may have followed a message. Imported orders have no event, because they are
 * history.
 */
export const keepOrdersToAttribute: EventConsumer = {
  name: 'engagement.keep-orders-to-attribute',
  types: new Set([orderCreated.type, orderRefunded.type]),
  take: storeRelevantOrders,
};

/** Attributes orders to campaigns, journeys and automations. */
export const attributeOrdersLoop = loop('engagement.attribute-orders', {
  places: 1,
  wakes: ORDERS_TO_ATTRIBUTE_CHANNEL,
  turn: async (ctx) => ((await attributeOrders(ctx)).isMore ? 0 : SECOND_MS),
});

/** Runs after a member was erased. */
export const eraseAttributionsJob = job(
  'engagement.forget-attributions',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseAttributions(ctx, memberId),
);
