import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import type { EventFact, FactKind, Facts, OrderFact } from './fact.ts';
import { appendFacts, compareFacts, countFacts, findOrders } from './facts.service.ts';
import { cutoffAt, readMembers } from './statistics.service.ts';

const { services, newContext } = useServices();

const append = <Kind extends FactKind>(ctx: Context, kind: Kind, facts: readonly Facts[Kind][]) =>
  ctx.transaction((tx) => appendFacts(tx, kind, facts));

const memberId = newId({ now: () => new Date() });
const order = (externalId: string, change: Partial<OrderFact> = {}): OrderFact => ({
  externalId,
  memberId,
  occurredAt: new Date('2026-01-05T10:00:00Z'),
  amountMinor: 1_999n,
  currency: 'EUR',
  status: 'PAID',
  ...change,
});
const event = (externalId: string, change: Partial<EventFact> = {}): EventFact => ({
  externalId,
  memberId,
  occurredAt: new Date('2026-01-05T10:00:00Z'),
  type: 'view',
  itemId: 'tea',
  value: 1.5,
  ...change,
});

describe('facts that are appended', () => {
  test('are fresh once, the same when repeated, and a conflict when they differ', async () => {
    const ctx = newContext();
    await append(ctx, 'EVENTS', [event('known')]);
    const list = [
      event('new'),
      event('known'),
      event('known', { type: 'search' }),
      event('new'),
      event('new', { value: null }),
    ];
    const expected = { fresh: [0], same: [1, 3], conflicts: [2, 4] };
    expect(await compareFacts(ctx, 'EVENTS', list)).toEqual(expected);
    expect(await append(ctx, 'EVENTS', list)).toEqual(expected);
    expect(await append(ctx, 'EVENTS', list)).toEqual({ fresh: [], same: [0, 1, 3], conflicts: [2, 4] });
    expect((await countFacts(ctx)).EVENTS).toBe(2);
  });

  test.each([
    ['member', { memberId: newId({ now: () => new Date() }) }],
    ['time', { occurredAt: new Date('2026-01-05T10:00:00.001Z') }],
    ['amount', { amountMinor: 2_000n }],
    ['currency', { currency: 'USD' }],
    ['status', { status: 'COMPLETED' }],
  ] as const)('differ by their %s', async (_, change) => {
    const ctx = newContext();
    await append(ctx, 'ORDERS', [order('a')]);
    const { conflicts } = await compareFacts(ctx, 'ORDERS', [order('a', change)]);
    expect(conflicts).toEqual([0]);
  });

  test('keep any text as it is', async () => {
    const ctx = newContext();
    const odd = ['"quoted"', 'back\\slash', 'tab\there', 'NULL', '{a,b}', 'line\nend', '\\N', 'ключ ✓', ' '];
    await append(
      ctx,
      'EVENTS',
      odd.map((text) => event(text, { itemId: text, type: text })),
    );
    const rows = await ctx.sql.query<{ item: string; type: string; id: string }>(
      'SELECT item_id AS item, type FROM model.event_facts WHERE workspace_id = $1',
      [ctx.scope.workspaceId],
    );
    expect(rows.map(({ item }) => item).sort()).toEqual(odd.toSorted());
    expect(rows.map(({ type }) => type).sort()).toEqual(odd.toSorted());
    const again = odd.map((text) => event(text, { itemId: text, type: text }));
    expect((await compareFacts(ctx, 'EVENTS', again)).same).toHaveLength(odd.length);
  });

  test.each([1, 100, 101, 1_001])(
    'are stored as they are, %i at once, and known when they come again',
    async (size) => {
      const ctx = newContext();
      const list = Array.from({ length: size }, (_, index) => `f${index}`);
      const occurredAt = new Date('1999-12-31T23:59:59.999Z');
      const orderId = newId(ctx.clock);
      const same = { memberId, occurredAt, orderId };
      const recordedAt = new Date('2026-01-06T10:00:00.123Z');
      const facts: { readonly [Kind in FactKind]: (externalId: string) => Facts[Kind] } = {
        ORDERS: (id) => order(id, { ...same, amountMinor: -(2n ** 60n), recordedAt }),
        EVENTS: (id) => event(id, { ...same, itemId: null, value: -0.1 }),
        ORDER_LINES: (externalId) => ({
          externalId,
          ...same,
          itemId: 'чай',
          quantity: 0.5,
          unitPriceMinor: null,
        }),
        CHANNEL_RECEIPTS: (externalId) => ({
          externalId,
          ...same,
          channel: 'sms',
          messageId: '✓',
          status: 'SENT',
        }),
      };
      const stored = {
        ORDERS: ['order_facts', { orderId, amountMinor: -(2n ** 60n), currency: 'EUR', recordedAt }],
        EVENTS: ['event_facts', { type: 'view', itemId: null, value: -0.1 }],
        ORDER_LINES: ['order_line_facts', { orderId, itemId: 'чай', quantity: 0.5, unitPriceMinor: null }],
        CHANNEL_RECEIPTS: ['channel_receipt_facts', { channel: 'sms', messageId: '✓', status: 'SENT' }],
      } as const;
      for (const kind of Object.keys(facts) as FactKind[]) {
        const all = list.map((id) => facts[kind](id));
        await append(ctx, kind, all.slice(1));
        expect((await append(ctx, kind, all)).same).toHaveLength(size - 1);
        const [table, row] = stored[kind];
        const rows = await ctx.sql.query(`SELECT * FROM model.${table} WHERE workspace_id = $1`, [
          ctx.scope.workspaceId,
        ]);
        expect(rows).toHaveLength(size);
        for (const each of rows)
          expect(each).toMatchObject({ memberId, occurredAt: same.occurredAt, ...row });
      }
    },
  );

  test('few at once are claimed and written by one statement', async () => {
    const ctx = newContext();
    services.statements.length = 0;
    await append(ctx, 'ORDERS', [order('a'), order('b')]);
    expect(services.statements.filter((text) => /fact_ids|order_facts/.test(text))).toHaveLength(1);
  });

  test('have ids of their own for each kind, workspace and mode', async () => {
    const ctx = newContext();
    await append(ctx, 'ORDERS', [order('1')]);
    const test = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
    for (const other of [newContext(), test]) {
      expect(await compareFacts(other, 'ORDERS', [order('1')])).toMatchObject({ fresh: [0] });
      expect(await findOrders(other, ['1'])).toEqual(new Map());
    }
    expect(await compareFacts(ctx, 'EVENTS', [event('1')])).toMatchObject({ fresh: [0] });
  });

  test('by several at once are written once each, and all of them are counted', async () => {
    const ctx = newContext();
    const files = [0, 1, 2, 3].map((first) =>
      Array.from({ length: 40 }, (_, index) => event(`e${first * 20 + index}`, { type: 'cart_add' })),
    );
    const results = await Promise.all(
      [...files, ...files.map((file) => file.toReversed())].map((file) => append(ctx, 'EVENTS', file)),
    );
    expect(results.flatMap(({ fresh }) => fresh)).toHaveLength(100);
    expect(results.flatMap(({ conflicts }) => conflicts)).toEqual([]);
    const { members: block } = await readMembers(ctx, [memberId], await cutoffAt(ctx, ctx.clock.now()));
    expect(block.events[0]).toBe(100);
  });

  test('are not there when their transaction fails', async () => {
    const ctx = newContext();
    const failing = ctx.transaction(async (tx) => {
      await appendFacts(tx, 'ORDERS', [order('x')]);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect((await countFacts(ctx)).ORDERS).toBe(0);
    const { members: block } = await readMembers(ctx, [memberId], await cutoffAt(ctx, ctx.clock.now()));
    expect(block.purchaseDays[0]).toBe(0);
  });

  test('by tens of thousands are one answer', async () => {
    const ctx = newContext();
    const many = Array.from({ length: 45_000 }, (_, index) => event(`e${(index * 7_919) % 44_000}`));
    const { fresh, same, conflicts } = await append(ctx, 'EVENTS', many);
    expect([fresh.length, same.length, conflicts.length]).toEqual([44_000, 1_000, 0]);
  });
});

test('an order is found by its external id, with what its lines need', async () => {
  const ctx = newContext();
  const orderId = newId(ctx.clock);
  await append(ctx, 'ORDERS', [order('with-id', { orderId }), order('without')]);
  const found = await findOrders(ctx, ['with-id', 'without', 'unknown']);
  const { occurredAt } = order('with-id');
  expect(found.get('with-id')).toEqual({ orderId, memberId, occurredAt, currency: 'EUR' });
  expect([...found.keys()].sort()).toEqual(['with-id', 'without']);
});
