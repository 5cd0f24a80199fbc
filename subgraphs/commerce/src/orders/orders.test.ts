import { afterEach, describe, expect, test } from '@jest/globals';
import { defaultLimits } from '@loyalty/platform/base/caller';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { ask as askSubgraph } from '@loyalty/test/harness/ask';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { wrongCounts } from '@loyalty/test/harness/row-counts';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { given, sale } from '../commerce.fixture.ts';
import { createStore } from '../stores/stores.service.ts';
import { commerce } from '../subgraph.ts';
import { clearPoints, createOrder, createOrders, type OrderResults } from './orders.service.ts';

const { services, ctx, fresh } = useServices();
afterEach(async () => expect(await wrongCounts(services.database.sql)).toEqual([]));

const ask = (query: string, variables?: Record<string, unknown>) =>
  askSubgraph(commerce, fresh(), query, variables);
const codes = (placed: OrderResults) =>
  placed.map((each) => ('error' in each ? each.error.code : each.isCreated));

describe('an order', () => {
  test('is published once, with its points and a band instead of its amount', async () => {
    await given.rate(ctx, 1.5);
    const { id: memberId } = await given.member(ctx);
    const order = await given.order(ctx, { memberId, total: 9_999 });
    expect(order).toMatchObject({ memberId, status: 'PAID', totalMinor: 9_999n, pointsAwarded: 149 });
    const event = { orderId: order.id, memberId, storeId: null, points: 149, amountBand: '50-100' };
    expect(await publishedEvents(ctx, 'order.created')).toEqual([event]);
  });

  test('sent twenty times at once is one order and one event', async () => {
    const input = sale(ctx);
    const made = await Promise.all(Array.from({ length: 20 }, () => createOrder(fresh(), input)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await publishedEvents(ctx, 'order.created')).toHaveLength(1);
  });

  test('of two different ones sent under one id at once, one is kept and the other refused', async () => {
    const input = sale(ctx);
    const results = await Promise.allSettled(
      [1n, 2n].map((total) => createOrder(fresh(), { ...input, total })),
    );
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(refused).toEqual(['ORDER_EXISTS_DIFFERENT']);
    expect(await publishedEvents(ctx, 'order.created')).toHaveLength(1);
  });

  test('is the same whether its defaults are spelled out or left out', async () => {
    const input = sale(ctx);
    const { id } = await createOrder(ctx, input);
    const spelled = { ...input, status: 'PAID' as const, items: [], memberId: null, tax: null };
    expect((await createOrder(fresh(), spelled)).id).toBe(id);
  });

  test('by an address stays the same when the key of its index is rotated', async () => {
    const { email } = await given.member(ctx);
    const input = sale(ctx, { memberEmail: email });
    const first = await createOrder(ctx, input);
    await services.keyring.rotateKey(ctx.scope.workspaceId, 'INDEX');
    // A new key is used only when every process has had time to load it.
    await ctx.sql.query(
      `UPDATE platform.workspace_keys SET created_at = created_at - interval '1 hour'
        WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    );
    services.keyring.forget();
    expect((await createOrder(fresh(), input)).id).toBe(first.id);
  });

  test('keeps no address, neither in a column nor in an event', async () => {
    const { id: memberId, email } = await given.member(ctx);
    const order = await given.order(ctx, { memberEmail: email.toUpperCase() });
    expect(order.memberId).toBe(memberId);
    await given.order(ctx, { memberEmail: 'stranger@example.com' });
    const kept = await ctx.sql.query(
      `SELECT o::text FROM commerce.orders AS o WHERE workspace_id = $1
       UNION ALL SELECT e::text FROM platform.outbox AS e WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    );
    expect(JSON.stringify(kept)).not.toMatch(/buyer-|stranger|example\.com/i);
  });

  test('holds the largest amount exactly, and nothing beyond it', async () => {
    const most = 1_000_000_000_000_000n;
    expect((await given.order(ctx, { total: most, tax: most })).totalMinor).toBe(most);
    const item = { sku: 'A', quantity: 1_000_000, unitPrice: most };
    expect((await given.order(ctx, { items: [item] })).items[0]?.unitPriceMinor).toBe(Number(most));
    for (const total of [1_000_000_000_000_001n, -1n, 9_223_372_036_854_775_807n])
      await expect(given.order(ctx, { total })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('has 500 items of a million pieces at most', async () => {
    const item = { sku: 'A', quantity: 1_000_000, unitPrice: 1 };
    const order = (items: number, quantity = 1_000_000) =>
      given.order(ctx, { items: Array(items).fill({ ...item, quantity }) });
    expect((await order(500)).items).toHaveLength(500);
    const refused = { code: 'VALIDATION_FAILED' };
    await expect(order(501)).rejects.toMatchObject(refused);
    await expect(order(1, 1_000_001)).rejects.toMatchObject(refused);
    await expect(order(1, 0)).rejects.toMatchObject(refused);
  });

  test('keeps any text whole that a database can hold, and repairs what it cannot', async () => {
    const item = { sku: '茶🍵', name: 'half \ud83c a pair', quantity: 1, unitPrice: 1 };
    const order = await given.order(ctx, { externalOrderId: `'; --"\ud83c"`, items: [item] });
    expect(order.externalOrderId).toBe(`'; --"\ufffd"`);
    expect(order.items[0]).toMatchObject({ sku: '茶🍵', name: 'half \ufffd a pair' });
    const nul = { items: [{ ...item, name: 'a\u0000b' }] };
    await expect(given.order(ctx, nul)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('may be ahead of our clock by five minutes, no more', async () => {
    const ahead = (ms: number) => ({ occurredAt: new Date(ctx.clock.now().getTime() + ms) });
    await given.order(ctx, ahead(5 * MINUTE_MS));
    await expect(given.order(ctx, ahead(5 * MINUTE_MS + 1))).rejects.toMatchObject({
      details: { field: 'input.occurredAt' },
    });
  });

  test('earns nothing for a guest, for a member about to be erased, or once cancelled', async () => {
    await given.rate(ctx);
    const { id: memberId } = await given.member(ctx);
    expect((await given.order(ctx, { memberId, status: 'CANCELLED' })).pointsAwarded).toBeNull();
    expect((await given.order(ctx)).pointsAwarded).toBeNull();
    await given.closed(ctx, memberId);
    expect(await given.order(ctx, { memberId })).toMatchObject({ memberId, pointsAwarded: null });
    expect((await publishedEvents(ctx, 'order.created')).map(({ points }) => points)).toEqual([0, 0, 0]);
  });

  test("earns the rules' points times the tier's multiplier, rounded down", async () => {
    await given.rate(ctx, 0.333);
    await given.tier(ctx, { name: 'Gold', rank: 1, upgradeThreshold: 10, multiplier: 1.255 });
    const { id: memberId } = await given.member(ctx);
    expect((await given.order(ctx, { memberId })).pointsAwarded).toBe(33);
    await given.points(ctx, memberId, 10);
    expect((await given.order(fresh(), { memberId })).pointsAwarded).toBe(41);
  });

  test("cannot earn more than the workspace's cap", async () => {
    await given.rate(ctx, 10);
    const { id: memberId } = await given.member(ctx);
    const capped = fresh({ limits: { ...defaultLimits, valueCap: 999 } });
    await expect(given.order(capped, { memberId })).rejects.toMatchObject({
      code: 'AMOUNT_OVER_CAP',
      details: { field: 'input.total' },
    });
    expect((await given.order(capped, { memberId, total: 9_990 })).pointsAwarded).toBe(999);
  });

  test('counts against the value writes of the caller', async () => {
    const limits = { ...defaultLimits, valueWritesPerMinute: 1 };
    const slow = fresh({ limits });
    await given.order(slow);
    await expect(given.order(slow)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('of another workspace or mode is not seen, and its id is free there', async () => {
    const input = sale(ctx);
    const { id } = await createOrder(ctx, input);
    const { workspaceId } = ctx.scope;
    for (const caller of [callerOf(), callerOf({ workspaceId, mode: 'TEST' })]) {
      const other = contextOf(services, caller);
      const { data } = await askSubgraph(commerce, other, 'query ($id: ID!) { order(id: $id) { id } }', {
        id,
      });
      expect(data.order).toBeNull();
      expect((await createOrder(other, { ...input, total: 1n })).id).not.toBe(id);
    }
  });

  test('shows no points once loyalty could not book them', async () => {
    await given.rate(ctx);
    const { id: memberId } = await given.member(ctx);
    const { id } = await given.order(ctx, { memberId });
    await clearPoints(ctx, id);
    const { data } = await ask('query ($id: ID!) { order(id: $id) { pointsAwarded pointsReversed } }', {
      id,
    });
    expect(data.order).toEqual({ pointsAwarded: null, pointsReversed: 0 });
  });
});

describe('a batch', () => {
  test('records each order by itself and asks for all members at once', async () => {
    await given.rate(ctx);
    const member = await given.member(ctx, { externalId: 'crm-1' });
    const twice = sale(ctx, { memberId: member.id });
    const inputs = [
      twice,
      sale(ctx, { memberEmail: member.email }),
      sale(ctx, { memberExternalId: 'crm-1' }),
      sale(ctx, { memberExternalId: 'nobody' }),
      sale(ctx, { currency: 'EUR', total: -1n }),
      sale(ctx, { couponId: 'none' }),
      twice,
      { ...twice, total: 1n },
    ];
    const placed = await createOrders(ctx, inputs);
    expect(codes(placed)).toEqual([
      true,
      true,
      true,
      'MEMBER_NOT_FOUND',
      'VALIDATION_FAILED',
      'INVALID_ID',
      false,
      'ORDER_EXISTS_DIFFERENT',
    ]);
    expect((await publishedEvents(ctx, 'order.created')).map(({ points }) => points)).toEqual([
      100, 100, 100,
    ]);
  });

  test('of a hundred costs as many statements as one of two', async () => {
    await given.rate(ctx);
    const store = await createStore(ctx, { name: 'Corner', address: 'Street 1' });
    const members = await Promise.all(Array.from({ length: 100 }, () => given.member(ctx)));
    const cost = async (count: number) => {
      const inputs = members.slice(0, count).map(({ id }) => sale(ctx, { memberId: id, storeId: store.id }));
      services.statements.length = 0;
      expect(codes(await createOrders(fresh(), inputs))).toEqual(Array(count).fill(true));
      return services.statements.length;
    };
    const two = await cost(2);
    expect(await cost(100)).toBe(two);
    expect(two).toBeLessThanOrEqual(9);
  });

  test('sent twice at once, in any order, records every order once', async () => {
    const inputs = Array.from({ length: 60 }, () => sale(ctx));
    const both = await Promise.all([
      createOrders(fresh(), inputs),
      createOrders(fresh(), inputs.toReversed()),
    ]);
    expect(both.flat().every((each) => !('error' in each))).toBe(true);
    expect(codes(both.flat()).filter(Boolean)).toHaveLength(60);
    expect(await publishedEvents(ctx, 'order.created')).toHaveLength(60);
  });
});
