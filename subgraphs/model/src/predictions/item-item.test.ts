import { describe, expect, test } from '@jest/globals';
import { addBasket, mergedPartners, noBaskets, weightAt } from './basket-counts.ts';
import { associations, type ItemItem, likelyPartners } from './item-item.ts';

const rounded = (value: number | undefined): number => Math.round(value! * 1e6) / 1e6;

describe('a basket weighs', () => {
  test.each([
    ['2020-01-01T00:00:00Z', 1],
    ['2020-01-01T23:59:59Z', 1],
    ['2020-06-29T12:00:00Z', 2],
    ['2020-12-26T12:00:00Z', 4],
    ['2020-01-19T12:00:00Z', 1.071773],
    ['2019-07-05T12:00:00Z', 0.5],
    ['2026-03-02T10:00:00Z', 5_837.403626],
  ])('at %s %f', (time, weight) => {
    expect(rounded(weightAt(new Date(time)))).toBe(weight);
  });
});

/** Returns counts of 100 baskets: the items by name, with their pairs. */
const counted = (
  given: Readonly<
    Record<string, { readonly baskets: number; readonly with: Readonly<Record<string, number>> }>
  >,
  baskets: Readonly<Record<string, number>>,
): ItemItem => ({
  baskets: 100,
  basketsOf: (itemId) => baskets[itemId] ?? 0,
  given: Object.entries(given).map(([itemId, { baskets: weight, with: partners }]) => ({
    ...{ itemId, weight },
    partnerIds: Object.keys(partners),
    partnerWeights: Object.values(partners),
  })),
});
const all = () => true;

describe('what one item adds to the share of another', () => {
  // (together + 20 share) / (given + 20) - share, with share = baskets / 100
  test.each([
    { given: 20, together: 10, baskets: 10, gain: 0.2 },
    { given: 20, together: 20, baskets: 20, gain: 0.4 },
    { given: 20, together: 5, baskets: 5, gain: 0.1 },
    { given: 20, together: 3, baskets: 10, gain: 0.025 },
    { given: 5, together: 5, baskets: 5, gain: 0.19 },
    { given: 1, together: 1, baskets: 1, gain: 0.047143 },
    { given: 80, together: 40, baskets: 40, gain: 0.08 },
    { given: 80, together: 50, baskets: 50, gain: 0.1 },
    { given: 30, together: 0.5, baskets: 0.5, gain: 0.007 },
    { given: 10, together: 2, baskets: 2, gain: 0.06 },
    { given: 60, together: 12, baskets: 15, gain: 0.0375 },
    { given: 4, together: 1, baskets: 20, gain: 0.008333 },
  ])('$together of $given baskets hold $baskets of 100: $gain', ({ given, together, baskets, gain }) => {
    const found = associations(
      counted({ one: { baskets: given, with: { other: together } } }, { other: baskets }),
      all,
    );
    expect(rounded(found.get('other')?.gain)).toBe(gain);
    expect(found.get('other')).toMatchObject({ withItemId: 'one', baskets: together });
  });

  test.each([
    { given: 20, together: 2, baskets: 10 },
    { given: 80, together: 30, baskets: 40 },
  ])(
    'is nothing where $together of $given baskets hold $baskets of 100, as by chance',
    ({ given, together, baskets }) => {
      const found = associations(
        counted({ one: { baskets: given, with: { other: together } } }, { other: baskets }),
        all,
      );
      expect(found.size).toBe(0);
    },
  );
});

describe('what several items add', () => {
  const four = counted(
    {
      a: { baskets: 20, with: { x: 10, y: 3, own: 9 } },
      b: { baskets: 20, with: { x: 5 } },
      c: { baskets: 5, with: { z: 5 } },
      d: { baskets: 9, with: {} },
    },
    { x: 10, y: 10, z: 5, own: 10 },
  );

  test('is the sum of what each adds, over the square root of their number', () => {
    const found = associations(four, (id) => id !== 'own');
    expect([...found].map(([id, { gain }]) => [id, rounded(gain)])).toEqual([
      // (0.2 + 0.075) / 2, 0.025 / 2, 0.19 / 2
      ['x', 0.1375],
      ['y', 0.0125],
      ['z', 0.095],
    ]);
  });

  test('is explained by the one that adds most', () => {
    expect(associations(four, all).get('x')).toMatchObject({ withItemId: 'a', baskets: 10 });
  });

  test('is nothing where no basket is counted', () => {
    expect(associations({ ...four, baskets: 0 }, all).size).toBe(0);
  });
});

test('at most 100 partners are looked up: those that are bought most often with the given items', () => {
  const partnerIds = Array.from({ length: 150 }, (_, n) => `p${n}`);
  const item = (itemId: string, prefix: string) => ({
    ...{ itemId, weight: 300 },
    partnerIds: partnerIds.map((id) => prefix + id),
    partnerWeights: partnerIds.map((_, n) => 150 - n),
  });
  const found = likelyPartners([item('a', 'a-'), item('b', 'b-')], 1, (id) => id !== 'a-p0');
  expect(found).toHaveLength(100);
  expect(found.slice(0, 4)).toEqual(['b-p0', 'a-p1', 'b-p1', 'a-p2']);
});

test('of a large basket the pairs of 50 items are counted, and all items', () => {
  const counts = noBaskets();
  const items = Array.from({ length: 120 }, (_, n) => `i${String(n).padStart(3, '0')}`);
  addBasket(counts, new Date('2020-01-01'), items);
  expect([counts.weight, counts.items.size, counts.pairs]).toEqual([1, 120, 50 * 49]);
  expect(mergedPartners('i000', counts.items.get('i000')!, undefined).partnerIds).toHaveLength(49);
  expect(mergedPartners('i119', counts.items.get('i119')!, undefined).partnerIds).toHaveLength(0);
});
