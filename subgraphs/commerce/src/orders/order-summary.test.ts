import { beforeEach, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { ask, entities } from '@loyalty/test/harness/ask';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { given } from '../commerce.fixture.ts';
import { commerce } from '../subgraph.ts';
import { refundOrder } from './refunds.service.ts';

const { services, ctx } = useServices();
let memberId: string;

beforeEach(async () => {
  ({ id: memberId } = await given.member(ctx));
});

const SUMMARY = entities(`... on Member { orderSummary {
  orders revenueMinor currency firstOrderAt lastOrderAt averageOrderValueMinor } }`);
async function summaries(ids: readonly string[], as: Context = ctx) {
  const references = ids.map((id) => ({ __typename: 'Member', id }));
  const { data } = await ask(commerce, contextOf(services, as.caller), SUMMARY, { references });
  return data._entities.map(({ orderSummary }: { orderSummary: unknown }) => orderSummary);
}
const none = {
  orders: 0,
  revenueMinor: 0,
  currency: null,
  firstOrderAt: null,
  lastOrderAt: null,
  averageOrderValueMinor: null,
};

test('sums orders net of refunds, without cancelled ones, in the currency of most', async () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));
  await given.order(ctx, { memberId, occurredAt: at(2) });
  const refunded = await given.order(ctx, { memberId, occurredAt: at(1), total: 5_001 });
  await refundOrder(ctx, refunded.externalOrderId, { amount: 2_000 });
  await given.order(ctx, { memberId, occurredAt: at(3), currency: 'USD', total: 99_999 });
  await given.order(ctx, { memberId, occurredAt: at(9), status: 'CANCELLED' });
  await given.order(ctx, { occurredAt: at(9) });
  expect(await summaries([memberId])).toEqual([
    {
      orders: 3,
      revenueMinor: 13_001,
      currency: 'EUR',
      firstOrderAt: at(1).toISOString(),
      lastOrderAt: at(3).toISOString(),
      averageOrderValueMinor: 6_500,
    },
  ]);
});

test('is empty without orders, and to another workspace and mode', async () => {
  expect(await summaries([memberId])).toEqual([none]);
  await given.order(ctx, { memberId });
  const { workspaceId } = ctx.scope;
  for (const caller of [callerOf(), callerOf({ workspaceId, mode: 'TEST' })])
    expect(await summaries([memberId], contextOf(services, caller))).toEqual([none]);
});

test('of fifty members costs one statement', async () => {
  const members = await Promise.all(Array.from({ length: 50 }, () => given.member(ctx)));
  for (const { id } of members) await given.order(ctx, { memberId: id });
  services.statements.length = 0;
  const found = await summaries(members.map(({ id }) => id));
  expect(found.map(({ orders }: { orders: number }) => orders)).toEqual(Array(50).fill(1));
  expect(services.statements).toHaveLength(1);
});

test('all data of a member is exported to the product itself, and to nobody else', async () => {
  for (let n = 0; n < 3; n += 1) await given.order(ctx, { memberId });
  const order = await given.order(ctx, { memberId, items: [{ sku: 'MUG', quantity: 1, unitPrice: 5 }] });
  await refundOrder(ctx, order.externalOrderId, { amount: 5, reason: 'broken', refundId: 'r1' });
  const query = 'query ($id: ID!) { _commerceMemberData(memberId: $id) }';
  const system = contextOf(services, systemCaller('peer', ctx.scope));
  const { data } = await ask(commerce, system, query, { id: memberId });
  const { orders } = data._commerceMemberData;
  expect(orders).toHaveLength(4);
  expect(orders.find(({ id }: { id: string }) => id === order.id)).toMatchObject({
    externalOrderId: order.externalOrderId,
    totalMinor: 10_000,
    refundedMinor: 5,
    items: [{ sku: 'MUG', quantity: 1, unitPriceMinor: 5 }],
    refunds: [{ externalId: 'r1', amountMinor: 5, reason: 'broken' }],
  });
  expect((await ask(commerce, ctx, query, { id: memberId })).reason).toBe('CALLER_REFUSED');
});
