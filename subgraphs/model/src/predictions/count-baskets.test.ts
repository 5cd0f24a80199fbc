import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { correctOrders } from '../facts/corrections.service.ts';
import { correctOrder, daysAgo, memberId, orders, purchaseEvents } from '../facts/facts.fixture.ts';
import { appendFacts } from '../facts/facts.service.ts';
import { PARTNERS_MAX, weightAt } from './basket-counts.ts';
import { countBaskets, recountBaskets } from './count-baskets.service.ts';
import type { ItemSource } from './item-popularity.ts';
import { countAllBasketsJob, refitWorkspacesJob } from './predictions.jobs.ts';

const { services, newContext } = useServices();
beforeEach(() => services.clock.set('2026-03-02T10:00:00.000Z'));

interface Counted {
  readonly total: number;
  /** Baskets by item, and by pairs of items, as if all baskets were of one day. */
  readonly baskets: Readonly<Record<string, number>>;
}

/** Returns the counts, in baskets of that age. */
async function counted(ctx: Context, days: number, source: ItemSource = 'ORDER_LINES'): Promise<Counted> {
  const unit = weightAt(daysAgo(ctx, days));
  const { workspaceId, mode } = ctx.scope;
  const whose = [workspaceId, mode, source];
  const condition = `workspace_id = $1 AND mode = $2::platform."Mode" AND source = $3::model."ItemSource"`;
  const rows = await ctx.sql.query<{ id: string; weight: number }>(
    `SELECT item_id AS id, weight FROM model.item_partners WHERE ${condition}
      UNION ALL
     SELECT item_id || ' ' || id, w FROM model.item_partners, unnest(partner_ids, partner_weights) AS p(id, w)
      WHERE ${condition}
      UNION ALL SELECT '', weight FROM model.basket_totals WHERE ${condition}`,
    whose,
  );
  const { '': total = 0, ...baskets } = Object.fromEntries(
    rows.map(({ id, weight }) => [id, Math.round((weight / unit) * 1e6) / 1e6]),
  );
  return { total, baskets };
}

const uncounted = async (ctx: Context): Promise<number> =>
  (
    await ctx.sql.query('SELECT 1 FROM model.uncounted_baskets WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ])
  ).length;

const lines = (ctx: Context, buyer: string, orderId: string, at: Date, items: readonly string[]) =>
  ctx.transaction((tx) =>
    appendFacts(
      tx,
      'ORDER_LINES',
      items.map((itemId) => ({
        ...{ externalId: memberId(), memberId: buyer, occurredAt: at, orderId, itemId },
        ...{ quantity: 1, unitPriceMinor: null },
      })),
    ),
  );

describe('counted baskets', () => {
  test('are those with an item, and with two items, in both directions', async () => {
    const ctx = newContext();
    const at = daysAgo(ctx, 10);
    await orders(ctx, [
      { memberId: memberId(), at, items: ['a', 'b', 'c'] },
      { memberId: memberId(), at, items: ['a', 'b'] },
      { memberId: memberId(), at, items: ['d'] },
    ]);
    await countBaskets(ctx);
    expect(await counted(ctx, 10)).toEqual({
      total: 3,
      baskets: {
        ...{ a: 2, b: 2, c: 1, d: 1 },
        ...{ 'a b': 2, 'b a': 2, 'a c': 1, 'c a': 1, 'b c': 1, 'c b': 1 },
      },
    });
    expect(await uncounted(ctx)).toBe(0);
  });

  test('weigh half as much after 180 days, in whichever order they come', async () => {
    const ctx = newContext();
    const buy = (days: number) =>
      orders(ctx, [{ memberId: memberId(), at: daysAgo(ctx, days), items: ['a', 'b'] }]);
    for (const days of [180, 0, 360]) {
      await buy(days);
      await countBaskets(ctx);
    }
    expect(await counted(ctx, 0)).toEqual({
      total: 1.75,
      baskets: { a: 1.75, b: 1.75, 'a b': 1.75, 'b a': 1.75 },
    });
  });

  test('are counted once, though the count is repeated, and at the same time', async () => {
    const ctx = newContext();
    const at = daysAgo(ctx, 3);
    await orders(
      ctx,
      Array.from({ length: 40 }, () => ({ memberId: memberId(), at, items: ['a', 'b'] })),
    );
    await Promise.all([countBaskets(ctx), countBaskets(ctx), countBaskets(ctx)]);
    await countBaskets(ctx);
    expect(await counted(ctx, 3)).toEqual({ total: 40, baskets: { a: 40, b: 40, 'a b': 40, 'b a': 40 } });
  });

  test('are counted later where the count fails half-way', async () => {
    const ctx = newContext();
    const at = daysAgo(ctx, 3);
    await orders(ctx, [{ memberId: memberId(), at, items: ['a', 'b'] }]);
    await ctx.sql.query(
      `ALTER TABLE model.basket_totals ADD CONSTRAINT no_total CHECK (workspace_id <> '${ctx.scope.workspaceId}')`,
      [],
    );
    await expect(countBaskets(ctx)).rejects.toThrow();
    expect([await counted(ctx, 3), await uncounted(ctx)]).toEqual([{ total: 0, baskets: {} }, 1]);
    await ctx.sql.query('ALTER TABLE model.basket_totals DROP CONSTRAINT no_total', []);
    await countBaskets(ctx);
    expect((await counted(ctx, 3)).baskets).toEqual({ a: 1, b: 1, 'a b': 1, 'b a': 1 });
  });

  test('have the lines that come late, with their pairs', async () => {
    const ctx = newContext();
    const [buyer, at] = [memberId(), daysAgo(ctx, 3)];
    const [orderId] = await orders(ctx, [{ memberId: buyer, at, items: ['a', 'b'] }]);
    await countBaskets(ctx);
    await lines(ctx, buyer, orderId!, at, ['c', 'a']);
    await countBaskets(ctx);
    expect(await counted(ctx, 3)).toEqual({
      total: 1,
      baskets: {
        ...{ a: 1, b: 1, c: 1 },
        ...{ 'a b': 1, 'b a': 1, 'a c': 1, 'c a': 1, 'b c': 1, 'c b': 1 },
      },
    });
  });

  test('are paid ones, and all are counted anew at night after a refund', async () => {
    const ctx = newContext();
    const at = daysAgo(ctx, 3);
    const [kept, refunded, pending] = [memberId(), memberId(), memberId()];
    const [, orderId] = await orders(ctx, [
      { memberId: kept, at, items: ['a', 'b'] },
      { memberId: refunded, at, items: ['a', 'c'] },
      { memberId: pending, at, items: ['a', 'd'], status: 'PENDING' },
    ]);
    await countBaskets(ctx);
    expect(await counted(ctx, 3)).toMatchObject({ total: 2, baskets: { a: 2, b: 1, c: 1 } });
    const before = await counted(ctx, 3);
    await recountBaskets(ctx, 4);
    expect(await counted(ctx, 3)).toEqual(before);
    await ctx.transaction((tx) =>
      correctOrders(tx, [
        {
          ...{ externalId: orderId!, orderId: orderId!, memberId: refunded, occurredAt: at },
          ...{ amountMinor: 1_000n, currency: 'EUR', status: 'REFUNDED', recordedAt: ctx.clock.now() },
        },
      ]),
    );
    await countBaskets(ctx);
    await recountBaskets(ctx, 3_000_000);
    expect(await counted(ctx, 3)).toEqual(before);
    await recountBaskets(ctx, 4);
    expect(await counted(ctx, 3)).toEqual({ total: 1, baskets: { a: 1, b: 1, 'a b': 1, 'b a': 1 } });
  });

  test('are counted anew by the nightly job, where there are corrections', async () => {
    const ctx = newContext();
    const [buyer, at] = [memberId(), daysAgo(ctx, 3)];
    const [orderId] = await orders(ctx, [
      { memberId: buyer, at, items: ['a', 'b'] },
      { memberId: buyer, at, items: ['c'] },
    ]);
    await countBaskets(ctx);
    await correctOrder(ctx, orderId!, 'CANCELLED');
    await refitWorkspacesJob.run(contextOf(services), {});
    expect((await counted(ctx, 3)).total).toBe(2);
    await ctx.sql.query('UPDATE model.basket_totals SET is_corrected = true WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    services.clock.advance(13 * 3_600_000);
    await refitWorkspacesJob.run(contextOf(services), {});
    expect(await counted(ctx, 3)).toMatchObject({
      total: expect.closeTo(1, 1),
      baskets: { c: expect.any(Number) },
    });
  });

  test('are the same counted as they come and counted anew', async () => {
    const ctx = newContext();
    const buyers = Array.from({ length: 12 }, memberId);
    const itemOf = (n: number) => `item-${(n * 7) % 11}`;
    for (const round of [0, 1, 2]) {
      await orders(
        ctx,
        buyers.map((buyer, n) => ({
          ...{ memberId: buyer, at: daysAgo(ctx, 1 + n + 30 * round) },
          items: [...new Set([itemOf(n), itemOf(n + round + 1), itemOf(3 * n + round)])],
        })),
      );
      await purchaseEvents(
        ctx,
        buyers.map((buyer, n) => ({ memberId: buyer, at: daysAgo(ctx, n % 5), itemId: itemOf(n + round) })),
      );
      if (round < 2) await countBaskets(ctx);
    }
    const anew = newContext();
    await countBaskets(ctx);
    const found = [await counted(ctx, 0), await counted(ctx, 0, 'EVENTS')];
    await ctx.sql.query('UPDATE model.basket_totals SET is_corrected = true WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    await purchaseEvents(ctx, [{ memberId: buyers[0]!, at: daysAgo(ctx, 500), itemId: 'long-ago' }]);
    await recountBaskets(ctx, 100);
    const after = [await counted(ctx, 0), await counted(ctx, 0, 'EVENTS')];
    expect(after[0]).toEqual(found[0]);
    const { 'long-ago': old, ...others } = after[1]!.baskets;
    expect(others).toEqual(found[1]!.baskets);
    expect(old).toBeCloseTo(2 ** (-500 / 180), 5);
    expect([await uncounted(ctx), await counted(anew, 0)]).toEqual([0, { total: 0, baskets: {} }]);
  });

  test("are a member's day where they come from purchase events", async () => {
    const ctx = newContext();
    const [buyer, at] = [memberId(), daysAgo(ctx, 1)];
    const later = new Date(at.getTime() + 3_600_000);
    await purchaseEvents(ctx, [{ memberId: buyer, at, itemId: 'a' }]);
    await countBaskets(ctx);
    await purchaseEvents(ctx, [
      { memberId: buyer, at: later, itemId: 'b' },
      { memberId: buyer, at: daysAgo(ctx, 2), itemId: 'c' },
      { memberId: memberId(), at, itemId: 'd' },
    ]);
    await countBaskets(ctx);
    expect((await counted(ctx, 1, 'EVENTS')).baskets).toEqual({
      ...{ a: 1, b: 1, d: 1, 'a b': 1, 'b a': 1 },
      c: Math.round(2 ** (-1 / 180) * 1e6) / 1e6,
    });
  });

  test(`keep the ${PARTNERS_MAX} partners of an item that weigh most`, async () => {
    const ctx = newContext();
    const at = daysAgo(ctx, 1);
    const partner = (n: number) => `p${String(n).padStart(3, '0')}`;
    const baskets = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => ({
        memberId: memberId(),
        at,
        items: ['a', partner(from + n)],
      }));
    await orders(ctx, [...baskets(0, 60), ...baskets(50, 60)]);
    await countBaskets(ctx);
    await orders(ctx, [...baskets(60, 100), ...baskets(95, 100)]);
    await countBaskets(ctx);
    const [row] = await ctx.sql.query<{ ids: string[] }>(
      `SELECT partner_ids AS ids FROM model.item_partners WHERE workspace_id = $1 AND item_id = 'a'`,
      [ctx.scope.workspaceId],
    );
    const first = [
      ...Array.from({ length: 10 }, (_, n) => partner(50 + n)),
      ...[95, 96, 97, 98, 99].map(partner),
    ];
    expect(row!.ids.slice(0, 15)).toEqual(first);
    expect(row!.ids).toHaveLength(PARTNERS_MAX);
    expect((await counted(ctx, 1)).baskets['a']).toBe(115);
  });

  test('of each workspace and mode are apart, and the job counts those of all', async () => {
    const one = newContext();
    const test = newContext({ workspaceId: one.scope.workspaceId, mode: 'TEST' });
    const contexts = [one, test, newContext()];
    for (const [n, ctx] of contexts.entries())
      await orders(ctx, [{ memberId: memberId(), at: daysAgo(ctx, 1), items: ['a', `of-${n}`] }]);
    await countAllBasketsJob.run(contextOf(services), {});
    for (const [n, ctx] of contexts.entries())
      expect((await counted(ctx, 1)).baskets).toEqual({
        a: 1,
        [`of-${n}`]: 1,
        [`a of-${n}`]: 1,
        [`of-${n} a`]: 1,
      });
  });
});
