import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { enrol } from '../members/members.fixture.ts';

/**
 * Points of orders and refunds, from the request to the ledger, in any order in which the worker runs the
 * jobs.
 */
const stack = useStack();
let token: string;
let key: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
  const rule = { kind: 'BASE', name: 'One a euro', rate: 1 };
  const query = 'mutation ($input: EarningRuleInput!) { createEarningRule(input: $input) { id } }';
  expect((await stack.graph(query, { input: rule }, token)).errors).toBeUndefined();
});

const post = (path: string, body: unknown, headers = {}) =>
  stack.rest('POST', `/api/v2/orders${path}`, { as: key, body, headers });
const sale = (externalOrderId: string, more: object) => ({
  externalOrderId,
  occurredAt: new Date().toISOString(),
  currency: 'EUR',
  total: 4_000,
  ...more,
});
const entries = async (memberId: string): Promise<number[]> => {
  const { body } = await stack.rest('GET', `/api/v2/members/${memberId}/points`, { as: key });
  return body.transactions.map(({ amount }: { amount: number }) => amount).toReversed();
};

test('a worker books a waiting order with its refund, and no points for a member who was closed in between', async () => {
  const [buyer, leaver] = [await enrol(stack, key), await enrol(stack, key)];
  await post('', sale('o-1', { memberId: buyer.id }));
  await post('/o-1/refund', { amount: 1_000 });
  const order = await post('', sale('o-2', { memberId: leaver.id }));
  expect(order.body.data.points_awarded).toBe(40);
  await stack.graph('mutation ($id: ID!) { requestErasure(memberId: $id) { id } }', { id: leaver.id }, token);
  await stack.work();
  await eventually(async () => expect(await entries(buyer.id)).toEqual([40, -10]));
  await eventually(async () => {
    const { body } = await stack.rest('GET', '/api/v2/orders?externalOrderId=o-2', { as: key });
    expect(body.orders[0].points_awarded).toBeNull();
  });
  expect(await entries(leaver.id)).toEqual([]);
  const refund = await post('/o-2/refund', {});
  expect(refund.body.data).toMatchObject({ pointsReversed: 0, order: { status: 'refunded' } });
});

test('an Idempotency-Key replays a batch and a refund, refusals among them, and moves points once', async () => {
  const { id: memberId } = await enrol(stack, key);
  const orders = [sale('o-3', { memberId }), sale('o-4', { total: -1 })];
  const batch = () => post('/batch', { orders }, { 'idempotency-key': 'batch-1' });
  const [first, again] = [await batch(), await batch()];
  expect([again.status, again.body]).toEqual([207, first.body]);
  const refund = () => post('/o-3/refund', { amount: 1_000 }, { 'idempotency-key': 'refund-1' });
  const [one, same] = [await refund(), await refund()];
  expect(same.body).toEqual(one.body);
  await eventually(async () => expect(await entries(memberId)).toEqual([40, -10]));
});

test('amounts can be variables of an operation, of a query too', async () => {
  const { data, errors } = await stack.graph(
    'query ($input: EarningPreviewInput!) { earningPreview(input: $input) { points } }',
    { input: { total: 4_000, currency: 'EUR' } },
    token,
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({ earningPreview: { points: 40 } });
});

test("a member's summary and orders come with the member", async () => {
  const { id } = await enrol(stack, key);
  await post('', sale('o-5', { memberId: id }));
  const query = `query ($id: ID!) { member(id: $id) { orderSummary { orders revenueMinor currency }
    orders(first: 1) { totalCount nodes {
      externalOrderId member { id pointsBalance } total { amountMinor } } } } }`;
  const { data, errors } = await stack.graph(query, { id }, token);
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    member: {
      orderSummary: { orders: 1, revenueMinor: 4_000, currency: 'EUR' },
      orders: {
        totalCount: 1,
        nodes: [
          {
            externalOrderId: 'o-5',
            member: { id, pointsBalance: expect.any(Number) },
            total: { amountMinor: 4_000 },
          },
        ],
      },
    },
  });
});
