import { describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { daysAgo, memberId, orders } from '../facts/facts.fixture.ts';
import { seededRandom } from '../numerics/seeded-random.ts';
import { countBaskets } from './count-baskets.service.ts';
import { now } from './recommendations.fixture.ts';
import { completeCart, recommendItems } from './recommendations.service.ts';

const { newContext } = useServices();

/** 30 baskets of bread; 10 of tea, 8 of which have a pot; 10 of oil; all of today. */
async function store(ctx: Context): Promise<void> {
  const baskets = [
    ...Array.from({ length: 30 }, () => ['bread']),
    ...Array.from({ length: 8 }, () => ['pot', 'tea']),
    ...Array.from({ length: 2 }, () => ['tea']),
    ...Array.from({ length: 10 }, () => ['oil']),
  ];
  await orders(
    ctx,
    baskets.map((items) => ({ memberId: memberId(), at: daysAgo(ctx, 0), items })),
  );
}

describe('new items', () => {
  test('go with the own ones, then come popular ones, each with its reason and support', async () => {
    const ctx = newContext();
    await store(ctx);
    const own = memberId();
    await orders(
      ctx,
      [['tea'], ['tea'], ['oil']].map((items) => ({ memberId: own, at: daysAgo(ctx, 0), items })),
    );
    await countBaskets(ctx);
    const { again, newForYou } = await recommendItems(ctx, own, now(ctx), 5);
    expect(again).toEqual([
      // 2 and 12 of 53 baskets, 1 and 11 of 53, over 4.
      { itemId: 'tea', score: 0.556604, basis: 'OWN_FREQUENCY', support: 2, withItemId: null },
      { itemId: 'oil', score: 0.301887, basis: 'OWN_FREQUENCY', support: 1, withItemId: null },
    ]);
    const pot = 8 / 53 + ((8 + (20 * 8) / 53) / (12 + 20) - 8 / 53) / Math.SQRT2;
    expect(newForYou).toEqual([
      { itemId: 'bread', score: 0.566038, basis: 'POPULARITY', support: 30, withItemId: null },
      {
        ...{ itemId: 'pot', score: Math.round(pot * 1e6) / 1e6 },
        ...{ basis: 'BOUGHT_WITH_YOURS', support: 8, withItemId: 'tea' },
      },
    ]);
  });

  test('are popular ones for a member without purchases, and before anything is counted', async () => {
    const ctx = newContext();
    await store(ctx);
    const own = memberId();
    const before = await recommendItems(ctx, own, now(ctx), 2);
    await countBaskets(ctx);
    const after = await recommendItems(ctx, own, now(ctx), 2);
    for (const { again, newForYou } of [before, after]) {
      expect(again).toEqual([]);
      expect(newForYou.map(({ itemId, basis, score }) => [itemId, basis, score])).toEqual([
        ['bread', 'POPULARITY', 0.6],
        ['oil', 'POPULARITY', 0.2],
      ]);
    }
  });

  test('are none that the member ever bought, also before its latest 500 baskets', async () => {
    const ctx = newContext();
    await store(ctx);
    const own = memberId();
    const latest = Array.from({ length: 500 }, () => ({
      memberId: own,
      at: daysAgo(ctx, 1),
      items: ['tea'],
    }));
    await orders(ctx, [...latest, { memberId: own, at: daysAgo(ctx, 300), items: ['pot'] }]);
    await countBaskets(ctx);
    const { newForYou } = await recommendItems(ctx, own, now(ctx), 5);
    expect(newForYou.map(({ itemId }) => itemId)).toEqual(['bread', 'oil']);
  });

  test('are of the workspace and mode alone', async () => {
    const ctx = newContext();
    await store(ctx);
    await countBaskets(ctx);
    const { workspaceId } = ctx.scope;
    for (const other of [newContext(), newContext({ workspaceId, mode: 'TEST' })]) {
      const own = memberId();
      const at = daysAgo(other, 0);
      await orders(
        other,
        Array.from({ length: 20 }, () => ({ memberId: own, at, items: ['tea'] })),
      );
      expect((await recommendItems(other, own, now(other), 5)).newForYou).toEqual([]);
    }
  });
});

/**
 * 400 members, each of whom likes three of 40 groups of 20 items; four of five lines are from a liked group,
 * the others from all items, in both cases popular ones more often. Each member has 3 to 8 baskets, and the
 * next one to predict.
 */
function purchases(seed: number) {
  const random = seededRandom(seed);
  const upTo = (size: number) => Math.floor(random() * size);
  const popular = (size: number) => Math.floor((size + 1) ** random()) - 1;
  const members = Array.from({ length: 400 }, () => {
    const [id, liked] = [memberId(), [upTo(40), upTo(40), upTo(40)]];
    const basket = () => {
      const group = liked[upTo(3)]!;
      const line = () => (random() < 4 / 5 ? popular(20) * 40 + group : popular(800));
      const items = Array.from({ length: 2 + upTo(4) }, () => `i${line()}`);
      return { memberId: id, items: [...new Set(items)] };
    };
    return Array.from({ length: 4 + upTo(6) }, basket);
  });
  return { past: members.flatMap((own) => own.slice(1)), next: members.map(([first]) => first!) };
}

describe('a cart', () => {
  test('is completed by what goes with it and what the member buys', async () => {
    const ctx = newContext();
    await store(ctx);
    const own = memberId();
    await orders(ctx, [{ memberId: own, at: daysAgo(ctx, 0), items: ['oil'] }]);
    await countBaskets(ctx);
    const { items, unknownItemIds, limitations } = await completeCart(ctx, own, now(ctx), ['tea'], 5);
    // With one basket of the member: 1 and 11 of 51, and 30 of 51, over 2. For the pot: the gain from tea.
    const pot = 8 / 51 / 2 + (8 + (20 * 8) / 51) / 30 - 8 / 51;
    expect(items).toEqual(
      [
        { itemId: 'oil', score: 0.607843, basis: 'OWN_FREQUENCY', support: 1, withItemId: null },
        { itemId: 'bread', score: 0.294118, basis: 'POPULARITY', support: 30, withItemId: null },
        {
          ...{ itemId: 'pot', score: Math.round(pot * 1e6) / 1e6 },
          ...{ basis: 'BOUGHT_TOGETHER', support: 8, withItemId: 'tea' },
        },
      ].sort((a, b) => b.score - a.score),
    );
    expect(unknownItemIds).toEqual([]);
    expect(limitations).not.toContain('UNKNOWN_CART_ITEMS');
  });

  test('with unknown items is completed by the known ones, and names the unknown ones', async () => {
    const ctx = newContext();
    await store(ctx);
    await countBaskets(ctx);
    const own = memberId();
    const known = await completeCart(ctx, own, now(ctx), ['tea'], 5);
    const some = await completeCart(ctx, own, now(ctx), ['gone', 'tea', 'tea', "o'clock"], 5);
    expect(some.items).toEqual(known.items);
    expect(some.unknownItemIds).toEqual(['gone', "o'clock"]);
    expect(some.limitations).toEqual([...known.limitations, 'UNKNOWN_CART_ITEMS']);
    const none = await completeCart(ctx, own, now(ctx), ['gone'], 1);
    expect(none.items).toEqual([
      { itemId: 'bread', score: 0.6, basis: 'POPULARITY', support: 30, withItemId: null },
    ]);
    expect(none.unknownItemIds).toEqual(['gone']);
  });

  test('changes nothing of what is counted', async () => {
    const ctx = newContext();
    await store(ctx);
    await countBaskets(ctx);
    const rows = () =>
      ctx.sql.query('SELECT * FROM model.item_partners WHERE workspace_id = $1 ORDER BY item_id', [
        ctx.scope.workspaceId,
      ]);
    const before = await rows();
    await completeCart(ctx, memberId(), now(ctx), ['gone', 'tea'], 5);
    expect(await rows()).toEqual(before);
  });
});

describe('on generated purchases', () => {
  const idsOf = (items: readonly { itemId: string }[]) => items.map(({ itemId }) => itemId);
  const hits = (wanted: readonly string[], found: readonly string[]) =>
    wanted.filter((item) => found.slice(0, 10).includes(item)).length;

  async function bought(ctx: Context) {
    const { past, next } = purchases(11);
    await orders(
      ctx,
      past.map((basket) => ({ ...basket, at: daysAgo(ctx, 10) })),
    );
    await countBaskets(ctx);
    return next;
  }

  test('ten new items hold what comes next far more often than ten popular ones', async () => {
    const ctx = newContext();
    const found = { paired: 0, popular: 0, wanted: 0 };
    for (const { memberId: id, items } of await bought(ctx)) {
      const { newForYou, again, items: usual } = await recommendItems(ctx, id, now(ctx), 200);
      const known = new Set(idsOf(again));
      const wanted = items.filter((item) => !known.has(item));
      found.wanted += wanted.length;
      found.paired += hits(wanted, idsOf(newForYou));
      found.popular += hits(
        wanted,
        idsOf(usual).filter((item) => !known.has(item)),
      );
    }
    expect(found.wanted).toBeGreaterThan(800);
    expect(found.paired / found.wanted).toBeGreaterThan(0.2);
    expect(found.paired).toBeGreaterThan(1.8 * found.popular);
  });

  test('a cart finds its missing item more often than the member alone does', async () => {
    const ctx = newContext();
    const found = { cart: 0, alone: 0, asked: 0 };
    for (const { memberId: id, items } of await bought(ctx)) {
      const [missing, ...cart] = items;
      if (cart.length === 0) continue;
      const completed = await completeCart(ctx, id, now(ctx), cart, 10);
      const alone = await recommendItems(ctx, id, now(ctx), 20);
      found.asked += 1;
      found.cart += hits([missing!], idsOf(completed.items));
      found.alone += hits(
        [missing!],
        idsOf(alone.items).filter((item) => !cart.includes(item)),
      );
    }
    expect(found.asked).toBeGreaterThan(300);
    expect(found.cart).toBeGreaterThan(1.2 * found.alone);
  });
});
