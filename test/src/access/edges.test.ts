import { beforeAll, describe, expect, test } from '@jest/globals';
import { commerce } from '@loyalty/commerce-subgraph/subgraph';
import { loyalty } from '@loyalty/loyalty-subgraph/subgraph';
import type { Caller } from '@loyalty/platform/base/caller';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { capture, openPool } from '../contract/coupons.fixture.ts';
import { ask, entities } from '../harness/ask.ts';
import { eventually } from '../harness/eventually.ts';
import { callerOf, contextOf } from '../harness/services.ts';
import { useStack } from '../harness/stack.ts';
import { watch } from '../harness/watch.ts';
import { refusalOf } from './refused.ts';

const stack = useStack();
let token: string;
let workspaceId: string;
let memberId: string;
let orderId: string;
let poolId: string;
beforeAll(async () => {
  ({ token, workspaceId } = await stack.signUp());
  const all = await keyOf('members:write', 'orders:write', 'points:write', 'coupons:write');
  poolId = await openPool(stack, token, 5);
  const member = { email: 'jane@example.com', fullName: 'Jane Doe', phone: '+351912345678' };
  memberId = (await stack.rest('POST', '/api/v2/members', { as: all, body: member })).body.id;
  orderId = (await stack.rest('POST', '/api/v2/orders', { as: all, body: newOrder('first') })).body.data.id;
  await stack.rest('POST', `/api/v2/members/${memberId}/points`, { as: all, body: { amount: 100 } });
  await stack.rest('POST', `/api/v2/members/${memberId}/redeem-coupon`, {
    as: all,
    body: { pool_id: poolId, points_cost: 10 },
  });
});

const keyOf = async (...scopes: string[]) => (await stack.key(token, scopes)).secret;
const newOrder = (externalOrderId: string) => ({
  externalOrderId,
  memberId,
  currency: 'EUR',
  total: 8000,
  occurredAt: '2026-03-02T10:00:00Z',
});

describe('a key with orders:read alone', () => {
  test('reads no coupon, name or ledger of a member through an order', async () => {
    const key = await keyOf('orders:read');
    const along = (selection: string) =>
      stack.graph(`{ orders { nodes { externalOrderId buyer: member { id ${selection} } } } }`, {}, key);
    const { errors, data } = await along('coupons { nodes { code status } }');
    expect(data ?? null).toBeNull();
    expect(errors).toEqual([
      {
        message:
          'This needs the scope coupons:read, or members:read. ' +
          'The field refused is orders.nodes.buyer.coupons.',
        path: ['orders', 'nodes', 'buyer', 'coupons'],
        extensions: { code: 'FORBIDDEN', reason: 'SCOPE_MISSING' },
      },
    ]);
    for (const field of [
      'name',
      'externalId',
      'consents { isGranted }',
      'tags { addedAt }',
      'pointsBalance',
    ]) {
      const name = field.split(' ')[0];
      expect(refusalOf(await along(field))).toEqual([403, 'SCOPE_MISSING', `orders.nodes.buyer.${name}`]);
    }
  });

  test('reads all ids, and the orders of a member with their totals', async () => {
    const key = await keyOf('orders:read');
    const { data, errors } = await stack.graph(
      `query ($id: ID!) { order(id: $id) { couponId store { id }
        member { id orders { totalCount } orderSummary { orders revenueMinor } } } }`,
      { id: orderId },
      key,
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      order: { member: { id: memberId, orders: { totalCount: 1 }, orderSummary: { orders: 1 } } },
    });
  });

  test('is refused by the subgraphs as well, for entity references and without any SQL statement', async () => {
    const caller: Caller = { ...callerOf({ workspaceId }), kind: 'KEY', role: null, scopes: ['orders:read'] };
    const ctx = contextOf(stack.services, caller);
    const references = [{ __typename: 'Member', id: memberId }];
    stack.services.statements.length = 0;
    const questions = [
      entities('... on Member { email }'),
      entities('... on Member { coupons { nodes { code } } }'),
      `${entities('...P')} fragment P on Member { tags { addedAt } }`,
    ];
    for (const question of questions) {
      const answer = await ask(loyalty, ctx, question, { references });
      expect(answer).toMatchObject({ data: null, reason: 'SCOPE_MISSING' });
    }
    expect(stack.services.statements).toEqual([]);
    const own = await ask(commerce, ctx, entities('... on Member { orders { totalCount } }'), { references });
    expect(own.data).toEqual({ _entities: [{ orders: { totalCount: 1 } }] });
  });
});

describe('what a mutation answers', () => {
  test('needs the scope of what is selected; otherwise nothing is written', async () => {
    const key = await keyOf('orders:write');
    const create = (selection: string, externalOrderId: string) =>
      stack.graph(
        `mutation ($input: OrderInput!) { createOrder(input: $input) { total { amountMinor } ${selection} } }`,
        { input: newOrder(externalOrderId) },
        key,
      );
    expect(refusalOf(await create('member { id name }', 'second'))).toEqual([
      403,
      'SCOPE_MISSING',
      'createOrder.member.name',
    ]);
    const found = await stack.rest('GET', '/api/v2/orders?externalOrderId=second', { as: token });
    expect(found.body).toEqual({ orders: [], total: 0 });
    expect((await create('member { id }', 'third')).errors).toBeUndefined();
  });

  test('for points:write has the ledger entry and the code, but no data of the member', async () => {
    const key = await keyOf('points:write');
    const award = (selection: string) =>
      stack.graph(
        `mutation ($id: ID!) { awardPoints(memberId: $id, input: { amount: 5 }) { amount ${selection} } }`,
        { id: memberId },
        key,
      );
    expect((await award('balanceAfter member { id }')).errors).toBeUndefined();
    expect(refusalOf(await award('member { email }'))).toEqual([
      403,
      'SCOPE_MISSING',
      'awardPoints.member.email',
    ]);
    const spend = (selection: string) =>
      stack.graph(
        `mutation ($id: ID!, $pool: ID!) {
          redeemPointsForCoupon(memberId: $id, poolId: $pool, pointsCost: 1) {
          newBalance coupon { id code ${selection} } } }`,
        { id: memberId, pool: poolId },
        key,
      );
    expect((await spend('')).data).toMatchObject({
      redeemPointsForCoupon: { coupon: { code: expect.any(String) } },
    });
    expect(refusalOf(await spend('capture { email }'))[2]).toBe('redeemPointsForCoupon.coupon.capture');
  });

  test('for captures and coupons has no address for a caller who may not read it', async () => {
    const captureId = await capture(stack, token, 'visitor@example.com');
    const key = await keyOf('coupons:write');
    const issue = await stack.graph(
      `mutation ($pool: ID!, $to: ID!) {
        issueCoupon(poolId: $pool, captureId: $to) { code capture { id email } } }`,
      { pool: poolId, to: captureId },
      key,
    );
    expect(refusalOf(issue)).toEqual([403, 'SCOPE_MISSING', 'issueCoupon.capture.email']);
  });
});

describe('a subscription', () => {
  const query = `subscription ($id: ID!) { memberActivity(memberId: $id) {
    kind member { pointsBalance orders { totalCount } } } }`;

  /** The errors with which a subscription over a socket ends. */
  async function errorsOf(key: string): Promise<unknown> {
    const client = createClient({
      url: `${stack.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${key}` },
      retryAttempts: 0,
    });
    const ended = Promise.withResolvers<unknown>();
    client.subscribe(
      { query, variables: { id: memberId } },
      { next: ended.resolve, error: ended.resolve, complete: () => ended.resolve('complete') },
    );
    const errors = await ended.promise;
    await client.dispose();
    return errors;
  }

  test('that selects fields which its caller may not read is refused before it starts', async () => {
    expect(await errorsOf(await keyOf('members:read'))).toMatchObject([
      { path: ['memberActivity', 'member', 'orders'], extensions: { reason: 'SCOPE_MISSING' } },
    ]);
  });

  test('sends the same payload to a caller who may read it', async () => {
    const key = await keyOf('members:read', 'orders:read', 'points:write');
    const watched = await watch(stack.url, { query, variables: { id: memberId } }, key);
    await stack.work();
    await eventually(async () => {
      await stack.rest('POST', `/api/v2/members/${memberId}/points`, { as: key, body: { amount: 1 } });
      expect(watched.results.length).toBeGreaterThan(0);
    });
    expect(watched.results[0]).toMatchObject({
      data: { memberActivity: { member: { orders: { totalCount: expect.any(Number) } } } },
    });
    await watched.stop();
  });
});

describe('a module', () => {
  test('that is off protects its data on every path', async () => {
    const query = `query ($id: ID!) { order(id: $id) { member { receipts { totalCount } } } }`;
    const key = await keyOf('orders:read', 'receipts:read');
    expect(refusalOf(await stack.graph(query, { id: orderId }, key))).toEqual([
      403,
      'MODULE_DISABLED',
      'order.member.receipts',
    ]);
  });
});

describe('a panel that the viewer may not see', () => {
  const PAGE = `query ($id: ID!, $withCoupons: Boolean!) { order(id: $id) {
    externalOrderId member { id coupons @include(if: $withCoupons) { nodes { code } } } } }`;

  test('is left out by a variable, for which the client reads `viewer` first', async () => {
    for (const scopes of [['orders:read'], ['coupons:read', 'orders:read']]) {
      const key = await keyOf(...scopes);
      const { data } = await stack.graph<{ viewer: { scopes: string[] } }>(
        '{ viewer { scopes role modules } }',
        {},
        key,
      );
      expect(data.viewer).toEqual({ scopes, role: null, modules: [] });
      const withCoupons = data.viewer.scopes.includes('coupons:read');
      const page = await stack.graph(PAGE, { id: orderId, withCoupons }, key);
      expect(page.errors).toBeUndefined();
      expect(page.data).toMatchObject({ order: { externalOrderId: 'first', member: { id: memberId } } });
    }
  });

  test('is refused when it is selected, also after the other variant was answered', async () => {
    const key = await keyOf('orders:read');
    for (const withCoupons of [false, true, false, true]) {
      const { status } = await stack.graph(PAGE, { id: orderId, withCoupons }, key);
      expect(status).toBe(withCoupons ? 403 : 200);
    }
  });
});
