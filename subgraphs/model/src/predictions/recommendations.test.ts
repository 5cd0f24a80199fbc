import { describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { correctOrder, daysAgo, memberId, orders, purchaseEvents } from '../facts/facts.fixture.ts';
import { itemPopularity } from './item-popularity.service.ts';
import { now, shop } from './recommendations.fixture.ts';
import { recommendBaskets, recommendItems } from './recommendations.service.ts';

const { newContext } = useServices();

const idsOf = (answer: { items: readonly { itemId: string }[] }) => answer.items.map(({ itemId }) => itemId);

describe('items', () => {
  test('are the own ones by frequency, then the popular ones, equal ones by id', async () => {
    const ctx = newContext();
    await shop(ctx);
    const own = memberId();
    const at = daysAgo(ctx, 5);
    await orders(ctx, [
      { memberId: own, at, items: ['honey', 'sugar'] },
      { memberId: own, at, items: ['honey'] },
    ]);
    const answer = await recommendItems(ctx, own, now(ctx), 5);
    expect(answer.items).toEqual([
      // 2 of 2 baskets and 2 of 12; 1 and 5 of 12; the rest by 10, 10 and 6 of 12: each over 3.
      { itemId: 'honey', score: 0.722222, basis: 'OWN_FREQUENCY' },
      { itemId: 'sugar', score: 0.472222, basis: 'OWN_FREQUENCY' },
      { itemId: 'bread', score: 0.277778, basis: 'POPULARITY' },
      { itemId: 'butter', score: 0.277778, basis: 'POPULARITY' },
      { itemId: 'tea', score: 0.166667, basis: 'POPULARITY' },
    ]);
    expect(answer).toMatchObject({ status: 'OK', limitations: ['NOT_CALIBRATED', 'BASELINE_RANKING'] });
  });

  test('have the evidence they rest on', async () => {
    const ctx = newContext();
    await shop(ctx);
    const own = memberId();
    const at = daysAgo(ctx, 5);
    await orders(ctx, [{ memberId: own, at, items: ['tea', 'bread', 'sugar'] }]);
    const { evidence } = await recommendItems(ctx, own, now(ctx), 3);
    expect(evidence).toEqual([
      { kind: 'own_lines', value: 3, observedAt: at },
      { kind: 'workspace_lines', value: 37, observedAt: at },
      { kind: 'data_through', value: at.toISOString(), observedAt: at },
    ]);
  });

  test('ignore what the member bought after the cutoff', async () => {
    const ctx = newContext();
    await shop(ctx);
    const own = memberId();
    await orders(ctx, [{ memberId: own, at: daysAgo(ctx, 5), items: ['caviar', 'jam', 'tea'] }]);
    const answer = await recommendItems(ctx, own, now(ctx, 6), 2);
    expect(idsOf(answer)).toEqual(['bread', 'butter']);
    expect(answer.limitations).toContain('NO_OWN_HISTORY');
  });

  test.each([
    [0, 'NO_OWN_HISTORY'],
    [2, 'PRIOR_DRIVEN'],
  ])('of a member with %i bought items are degraded', async (count, reason) => {
    const ctx = newContext();
    await shop(ctx);
    const own = memberId();
    const items = ['tea', 'jam', 'rye'].slice(0, count);
    await orders(ctx, [{ memberId: own, at: daysAgo(ctx, 5), items }]);
    const answer = await recommendItems(ctx, own, now(ctx), 3);
    expect(answer).toMatchObject({ status: 'DEGRADED', limitations: expect.arrayContaining([reason]) });
    expect(answer.items).toHaveLength(3);
  });

  test('are unavailable where the workspace sold fewer than 20', async () => {
    const ctx = newContext();
    const own = memberId();
    const items = Array.from({ length: 19 }, (_, n) => `item-${n}`);
    await orders(ctx, [{ memberId: own, at: daysAgo(ctx, 5), items }]);
    expect(await recommendItems(ctx, own, now(ctx), 3)).toMatchObject({
      ...{ status: 'UNAVAILABLE', items: [] },
      limitations: expect.arrayContaining(['NO_ITEM_HISTORY']),
    });
    // The twentieth item counts at once: a result of too few items is recounted on each call.
    await orders(ctx, [{ memberId: own, at: daysAgo(ctx, 5), items: ['item-19'] }]);
    expect(await recommendItems(ctx, own, now(ctx), 3)).toMatchObject({ status: 'OK' });
  });

  test('count paid orders as they are now: no refunded, cancelled, pending or free ones', async () => {
    const ctx = newContext();
    await shop(ctx);
    const own = memberId();
    const at = daysAgo(ctx, 5);
    const [corrected] = await orders(ctx, [
      { memberId: own, at, items: ['refunded'] },
      { memberId: own, at, items: ['cancelled'], status: 'CANCELLED' },
      { memberId: own, at, items: ['pending'], status: 'PENDING' },
      { memberId: own, at, items: ['free'], amountMinor: 0n },
      { memberId: own, at, items: ['kept'], status: 'PARTIALLY_REFUNDED' },
    ]);
    await correctOrder(ctx, corrected!, 'REFUNDED');
    expect(idsOf(await recommendItems(ctx, own, now(ctx), 2))).toEqual(['kept', 'bread']);
    expect((await itemPopularity(ctx))!.items.map(([id]) => id)).not.toContain('refunded');
  });

  test('come from purchase events where no order has lines, a day of them being a basket', async () => {
    const ctx = newContext();
    const buyers = Array.from({ length: 10 }, memberId);
    const at = daysAgo(ctx, 3);
    const bought = buyers.flatMap((buyer) => ['a', 'b'].map((itemId) => ({ memberId: buyer, at, itemId })));
    await purchaseEvents(ctx, bought);
    const popularity = await itemPopularity(ctx);
    expect(popularity).toMatchObject({ source: 'EVENTS', lines: 20, baskets: 10, pairs: [[0, 1, 10]] });
    expect(idsOf(await recommendItems(ctx, buyers[0]!, now(ctx), 2))).toEqual(['a', 'b']);
  });

  test('of another workspace or mode have no part in it', async () => {
    const ctx = newContext();
    await shop(ctx);
    const { workspaceId } = ctx.scope;
    for (const other of [newContext(), newContext({ workspaceId, mode: 'TEST' })])
      expect((await recommendItems(other, memberId(), now(other), 3)).status).toBe('UNAVAILABLE');
  });
});

describe('baskets', () => {
  const together = async (ctx: Context, own: string) => {
    const at = daysAgo(ctx, 10);
    // Nails and hammer are always bought together, and paint always alone.
    const hardware = Array.from({ length: 20 }, () => ({
      memberId: memberId(),
      at,
      items: ['hammer', 'nails'],
    }));
    const paint = Array.from({ length: 20 }, () => ({ memberId: memberId(), at, items: ['paint'] }));
    await orders(ctx, [...hardware, ...paint, { memberId: own, at, items: ['hammer', 'nails', 'saw'] }]);
  };

  test('prefer what is bought together beyond chance', async () => {
    const ctx = newContext();
    await together(ctx, memberId());
    const { items } = await recommendBaskets(ctx, memberId(), now(ctx), 3);
    // 21 of 41 baskets each, 21 together where 21 * 21 / 41 were expected.
    const lift = (21 + 5) / ((21 * 21) / 41 + 5);
    expect(items[0]).toEqual({
      itemIds: ['hammer', 'nails'],
      score: Math.round(Math.min(1, (21 / 41) ** 2 * lift) * 1e6) / 1e6,
      basis: 'BOUGHT_TOGETHER',
    });
    expect(items[1]!.score).toBeLessThan(items[0]!.score);
  });

  test('have two or three different items, and the same facts give the same ones', async () => {
    const ctx = newContext();
    const own = memberId();
    await together(ctx, own);
    const { items } = await recommendBaskets(ctx, own, now(ctx), 50);
    const sizes = new Set(items.map(({ itemIds }) => new Set(itemIds).size));
    expect([...sizes].sort()).toEqual([2, 3]);
    expect(items.every(({ score }) => score > 0 && score <= 1)).toBe(true);
    expect(new Set(items.map(({ itemIds }) => itemIds.join())).size).toBe(items.length);
    expect((await recommendBaskets(ctx, own, now(ctx), 50)).items).toEqual(items);
  });

  test('are unavailable where there is only one item to combine', async () => {
    const ctx = newContext();
    const at = daysAgo(ctx, 10);
    await orders(
      ctx,
      Array.from({ length: 25 }, () => ({ memberId: memberId(), at, items: ['paint'] })),
    );
    expect((await recommendBaskets(ctx, memberId(), now(ctx), 3)).status).toBe('UNAVAILABLE');
  });
});
