import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { enrol } from '../members/members.fixture.ts';
import { expectError, shapes } from '../shapes.ts';

const stack = useStack();
let token: string;
let key: string;
let storeId: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
  await admin('mutation ($input: EarningRuleInput!) { createEarningRule(input: $input) { id } }', {
    kind: 'BASE',
    name: 'One a euro',
    rate: 1,
  });
  storeId = await admin('mutation ($input: CreateStoreInput!) { createStore(input: $input) { id } }', {
    name: 'Corner',
    address: 'Street 1',
  });
  await stack.work();
});

async function admin(query: string, input: object): Promise<string> {
  const { data, errors } = await stack.graph<Record<string, { id: string }>>(query, { input }, token);
  expect(errors).toBeUndefined();
  return Object.values(data)[0]!.id;
}

let numbers = 0;
/** A new order of 12.50 EUR with an id of its own. */
const sale = (more: object = {}) => {
  numbers += 1;
  return {
    externalOrderId: `sale-${numbers}`,
    occurredAt: new Date().toISOString(),
    currency: 'EUR',
    total: 1250,
    ...more,
  };
};

const post = (path: string, body: unknown) => stack.rest('POST', `/api/v2/orders${path}`, { as: key, body });
const get = (query: string) => stack.rest('GET', `/api/v2/orders${query}`, { as: key });
const balance = async (memberId: string): Promise<number> =>
  (await stack.rest('GET', `/api/v2/members/${memberId}`, { as: key })).body.points_balance;

const shape = {
  id: shapes.uuid,
  external_order_id: expect.any(String),
  member_id: null,
  store_id: null,
  status: 'paid',
  currency: 'EUR',
  total: 1250,
  refunded_total: 0,
  items: [],
  occurred_at: shapes.instant,
  created_at: shapes.instant,
  points_awarded: null,
};

describe('POST /orders', () => {
  test("answers 201 with the order; its points are in the member's balance moments later", async () => {
    const { id: memberId } = await enrol(stack, key);
    const named = { sku: 'MUG-1', name: 'Mug', quantity: 2 };
    const items = [{ ...named, externalProductId: 'mug', unitPrice: 625 }];
    const reply = await post('', sale({ memberId, storeId, items, subtotal: 1000, tax: 250 }));
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      data: {
        ...shape,
        member_id: memberId,
        store_id: storeId,
        points_awarded: 12,
        items: [{ ...named, product_id: null, external_product_id: 'mug', unit_price: 625 }],
      },
    });
    await eventually(async () => expect(await balance(memberId)).toBe(12));
  });

  test('finds the member by e-mail or external id; an address that nobody has is a guest', async () => {
    const member = await enrol(stack, key, { externalId: 'crm-7' });
    const byEmail = await post('', sale({ memberEmail: ` ${member.email.toUpperCase()}` }));
    const byExternalId = await post('', sale({ memberExternalId: 'crm-7' }));
    const guest = await post('', sale({ memberEmail: 'nobody@example.com' }));
    const members = [byEmail, byExternalId, guest].map(({ body }) => body.data.member_id);
    expect(members).toEqual([member.id, member.id, null]);
    expect(guest.body.data.points_awarded).toBeNull();
  });

  test('answers the same order when it is sent again; a different order under its id is 409', async () => {
    const body = sale({ memberEmail: 'guest@example.com' });
    const [first, again] = [await post('', body), await post('', body)];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expectError(await post('', { ...body, total: 1251 }), 409, 'ORDER_EXISTS_DIFFERENT', /externalOrderId/);
    expectError(
      await post('', { ...body, memberEmail: 'other@example.com' }),
      409,
      'ORDER_EXISTS_DIFFERENT',
      /externalOrderId/,
    );
  });

  test('a member or store that does not exist is 404 and nothing is recorded', async () => {
    const unknown = newId(systemClock);
    for (const [more, code] of [
      [{ memberId: unknown }, 'MEMBER_NOT_FOUND'],
      [{ memberExternalId: 'nobody' }, 'MEMBER_NOT_FOUND'],
      [{ storeId: unknown }, 'STORE_NOT_FOUND'],
    ] as const) {
      const body = sale(more);
      expectError(await post('', body), 404, code, /^(memberId|memberExternalId|storeId) names no/);
      expect((await get(`?externalOrderId=${body.externalOrderId}`)).body).toEqual({ orders: [], total: 0 });
    }
  });

  test.each([
    ['no total', { total: undefined }, 'total is required'],
    ['a fraction', { total: 12.5 }, /^total must be a whole number/],
    ['text for a total', { total: '12.50' }, /^total must be a whole number/],
    ['less than nothing', { total: -1 }, /^total must be between 0 and/],
    ['more than any order costs', { total: '9223372036854775807' }, /^total must be between 0 and/],
    ['more than 64 bits', { total: '92233720368547758070' }, /^total must be a whole number/],
    ['no currency', { currency: 'EURO' }, /^currency must be an ISO 4217 code/],
    ['a day for an instant', { occurredAt: 'yesterday' }, /^occurredAt must be an instant/],
    ['the future', { occurredAt: '2999-01-01T00:00:00Z' }, /^occurredAt must not be in the future/],
    [
      'a refunded status',
      { status: 'refunded' },
      /^status must be one of placed, paid, fulfilled, cancelled/,
    ],
    ['a long id', { externalOrderId: 'x'.repeat(201) }, /^externalOrderId must have at most 200/],
    ['a member named twice', { memberEmail: 'a@b.co', memberExternalId: 'x' }, /^memberExternalId names/],
    ['no e-mail', { memberEmail: 'nope' }, /^memberEmail must be an e-mail address/],
    ['a quantity of none', { items: [{ sku: 'A', quantity: 0, unitPrice: 1 }] }, /^items\[0\]\.quantity/],
    ['a nameless item', { items: [{ quantity: 1, unitPrice: 1 }] }, /^items\[0\] must have a productId/],
    [
      'a negative price',
      { items: [{ sku: 'A', quantity: 1, unitPrice: -5 }] },
      /^items\[0\]\.unitPrice must be between/,
    ],
    [
      'too many items',
      { items: Array.from({ length: 501 }, () => ({ sku: 'A', quantity: 1, unitPrice: 1 })) },
      /^items must have at most 500/,
    ],
  ])('%s is 400 and names the field', async (_, more, sentence) => {
    expectError(await post('', sale(more)), 400, 'VALIDATION_FAILED', sentence);
  });

  test('asks for the scope orders:write', async () => {
    const reader = (await stack.key(token, ['orders:read'])).secret;
    const reply = await stack.rest('POST', '/api/v2/orders', { as: reader, body: sale() });
    expectError(reply, 403, 'SCOPE_MISSING', /orders:write/);
  });
});

describe('GET /orders', () => {
  test('answers a page, newest first by when they were placed, and the total', async () => {
    const { id: memberId } = await enrol(stack, key);
    const at = (day: number) => `2026-03-0${day}T10:00:00.000Z`;
    const late = sale({ memberId, occurredAt: at(3) });
    const early = sale({ memberId, occurredAt: at(1), status: 'placed' });
    const middle = sale({ memberId, occurredAt: at(2) });
    for (const body of [late, early, middle]) await post('', body);
    const { status, body } = await get(`?memberId=${memberId}&limit=2`);
    expect(status).toBe(200);
    const ids = (reply: { orders: { external_order_id: string }[] }) =>
      reply.orders.map(({ external_order_id }) => external_order_id);
    expect(Object.keys(body)).toEqual(['orders', 'total']);
    expect([ids(body), body.total]).toEqual([[late.externalOrderId, middle.externalOrderId], 3]);
    expect(body.orders[0]).toEqual({ ...shape, member_id: memberId, points_awarded: 12 });
    const next = await get(`?memberId=${memberId}&limit=2&offset=2`);
    expect(ids(next.body)).toEqual([early.externalOrderId]);
    expect(ids((await get(`?memberId=${memberId}&status=placed`)).body)).toEqual([early.externalOrderId]);
    const window = await get(`?memberId=${memberId}&from=${at(1)}&to=${at(2)}`);
    expect(ids(window.body)).toEqual([early.externalOrderId]);
    const one = await get(`?externalOrderId=${middle.externalOrderId}`);
    expect(ids(one.body)).toEqual([middle.externalOrderId]);
  });

  test.each([
    ['?limit=201', /^limit must be between 1 and 200/],
    ['?status=gone', /^status must be one of/],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', /^to must be after from/],
  ])('%s is 400', async (query, sentence) => {
    expectError(await get(query), 400, 'VALIDATION_FAILED', sentence);
  });
});

describe('POST /orders/batch', () => {
  test('answers 200 when all are recorded, 207 with a line each when some are not', async () => {
    const { id: memberId } = await enrol(stack, key);
    const [one, two] = [sale({ memberId }), sale()];
    const all = await post('/batch', { orders: [one, two] });
    expect([all.status, all.body]).toEqual([
      200,
      {
        total: 2,
        succeeded: 2,
        failed: 0,
        results: [0, 1].map((index) => ({ index, ok: true, id: shapes.uuid, created: true, error: null })),
      },
    ]);
    const stranger = sale({ memberId: newId(systemClock) });
    const mixed = [one, { ...two, total: 1 }, sale({ total: -1 }), stranger, sale()];
    const some = await post('/batch', { orders: mixed });
    const refused = (index: number, error: RegExp) =>
      expect.objectContaining({ index, ok: false, id: null, error: expect.stringMatching(error) });
    expect([some.status, some.body]).toEqual([
      207,
      {
        total: 5,
        succeeded: 2,
        failed: 3,
        results: [
          { index: 0, ok: true, id: all.body.results[0].id, created: false, error: null },
          refused(1, /^Another order has/),
          refused(2, /^total must be/),
          refused(3, /^memberId names no/),
          { index: 4, ok: true, id: shapes.uuid, created: true, error: null },
        ],
      },
    ]);
  });

  test('no order, or more than a hundred, is 400 for the whole batch', async () => {
    for (const orders of [[], Array.from({ length: 101 }, () => sale())])
      expectError(await post('/batch', { orders }), 400, 'VALIDATION_FAILED', /^orders must have between 1/);
  });
});

describe('POST /orders/{externalOrderId}/refund', () => {
  test('refunds a part, then the rest, and takes back their points', async () => {
    const { id: memberId } = await enrol(stack, key);
    const body = sale({ memberId });
    const { data: order } = (await post('', body)).body;
    await eventually(async () => expect(await balance(memberId)).toBe(12));
    const refund = (more: object) => post(`/${body.externalOrderId}/refund`, more);
    const part = await refund({ amount: 625, refundId: 'r1', reason: 'broken' });
    expect([part.status, part.body]).toEqual([
      200,
      {
        data: {
          order: { ...order, status: 'partially_refunded', refunded_total: 625 },
          refund: { id: shapes.uuid, amount: 625, created_at: shapes.instant },
          pointsReversed: 6,
        },
      },
    ]);
    expect((await refund({ amount: 625, refundId: 'r1' })).body.data.refund).toEqual(part.body.data.refund);
    expectError(await refund({ amount: 624, refundId: 'r1' }), 409, 'REFUND_EXISTS_DIFFERENT', /refundId/);
    expectError(await refund({ amount: 626 }), 409, 'REFUND_OVER_TOTAL', /625 minor units left/);
    const rest = await refund({});
    expect(rest.body.data).toMatchObject({
      order: { status: 'refunded', refunded_total: 1250 },
      refund: { amount: 625 },
      pointsReversed: 6,
    });
    expectError(await refund({}), 409, 'REFUND_OVER_TOTAL', /refunded already/);
    await eventually(async () => expect(await balance(memberId)).toBe(0));
  });

  test('needs no body; an unknown order is 404, a bad amount 400', async () => {
    const body = sale();
    await post('', body);
    const path = `/api/v2/orders/${body.externalOrderId}/refund`;
    expect((await stack.rest('POST', path, { as: key })).body.data.refund.amount).toBe(1250);
    expectError(await post('/never-sold/refund', {}), 404, 'ORDER_NOT_FOUND', 'No order has the id');
    for (const amount of [0, -1]) {
      const reply = await post(`/${body.externalOrderId}/refund`, { amount });
      expectError(reply, 400, 'VALIDATION_FAILED', /^amount must be between 1/);
    }
    const fraction = await post(`/${body.externalOrderId}/refund`, { amount: 0.5 });
    expectError(fraction, 400, 'VALIDATION_FAILED', /^amount must be a whole number/);
  });
});

test("the tier's multiplier holds for what orders earn", async () => {
  await admin('mutation ($input: CreateTierInput!) { createTier(input: $input) { id } }', {
    name: 'Gold',
    rank: 1,
    upgradeThreshold: 1_000,
    multiplier: 1.5,
  });
  const { id: memberId } = await enrol(stack, key);
  await stack.rest('POST', `/api/v2/members/${memberId}/points`, { as: key, body: { amount: 1_000 } });
  const { body } = await post('', sale({ memberId, total: 1390 }));
  expect(body.data.points_awarded).toBe(19);
  await eventually(async () => expect(await balance(memberId)).toBe(1_019));
});
