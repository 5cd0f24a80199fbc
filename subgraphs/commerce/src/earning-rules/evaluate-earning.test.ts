import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evaluate, multiplied, POINTS_MAX, type Purchase, type Rule } from './evaluate-earning.ts';

const always: Rule = {
  id: 'base',
  kind: 'BASE',
  isActive: true,
  appliesTo: 'BOTH',
  priority: 0,
  rate: 1,
  currency: null,
  minimumMinor: 0n,
  startsAt: null,
  endsAt: null,
  categoryIds: [],
  productIds: [],
  multiplier: null,
  extraPoints: null,
  createdAt: new Date(0),
};
const noon = new Date('2026-03-02T12:00:00Z');
const purchase: Purchase = {
  kind: 'ORDER',
  totalMinor: 10_000n,
  currency: 'EUR',
  occurredAt: noon,
  items: [],
};
const bonus = (more: Partial<Rule>): Rule => ({ ...always, id: 'bonus', kind: 'BONUS', rate: null, ...more });
const pointsOf = (rules: readonly Rule[], more: Partial<Purchase> = {}) =>
  evaluate(rules, { ...purchase, ...more }).points;

describe('a base rule', () => {
  test.each([
    ['EUR', 1_999n, 19],
    ['JPY', 1_999n, 1_999],
    ['KWD', 1_999n, 1],
    ['EUR', 99n, 0],
    ['EUR', 0n, 0],
  ])('gives points per major unit: %s %s', (currency, totalMinor, points) => {
    expect(pointsOf([always], { currency, totalMinor })).toBe(points);
  });

  test('is exact where floats are not', () => {
    expect(pointsOf([{ ...always, rate: 0.29 }], { totalMinor: 10_000n })).toBe(29);
    expect(pointsOf([{ ...always, rate: 1.1 }], { totalMinor: 11_000n })).toBe(121);
  });

  test.each<[string, Partial<Rule>, boolean]>([
    ['inactive', { isActive: false }, false],
    ['for receipts', { appliesTo: 'RECEIPT' }, false],
    ['for orders', { appliesTo: 'ORDER' }, true],
    ['of the currency', { currency: 'EUR' }, true],
    ['of another currency', { currency: 'USD' }, false],
    ['from the total', { minimumMinor: 10_000n }, true],
    ['from more than the total', { minimumMinor: 10_001n }, false],
    ['that starts then', { startsAt: noon }, true],
    ['that starts later', { startsAt: new Date(noon.getTime() + 1) }, false],
    ['that ends then', { endsAt: noon }, false],
    ['that ends later', { endsAt: new Date(noon.getTime() + 1) }, true],
  ])('%s counts or not', (_, more, counts) => {
    expect(pointsOf([{ ...always, ...more }])).toBe(counts ? 100 : 0);
  });

  test('counts alone: the highest priority, of equal ones the oldest', () => {
    const later = { ...always, id: 'later', rate: 2, createdAt: new Date(1) };
    expect(pointsOf([later, always])).toBe(100);
    expect(pointsOf([always, { ...later, priority: 1 }])).toBe(200);
    expect(pointsOf([always, { ...later, priority: 1, isActive: false }])).toBe(100);
  });
});

describe('a bonus', () => {
  const items = [
    { productId: 'p1', categoryIds: ['c1'], amountMinor: 2_000n },
    { productId: null, categoryIds: ['c2', 'c1'], amountMinor: 1_000n },
    { productId: 'p3', categoryIds: [], amountMinor: 4_000n },
  ];

  test('multiplies the base of its items, or of all', () => {
    expect(pointsOf([always, bonus({ multiplier: 2 })], { items })).toBe(200);
    expect(pointsOf([always, bonus({ multiplier: 3, categoryIds: ['c1'] })], { items })).toBe(160);
    expect(pointsOf([always, bonus({ multiplier: 1.5, productIds: ['p3'] })], { items })).toBe(120);
    expect(pointsOf([always, bonus({ multiplier: 2, categoryIds: ['c9'] })], { items })).toBe(100);
  });

  test('gives extra points once, and only with a matching item', () => {
    expect(pointsOf([always, bonus({ extraPoints: 7, categoryIds: ['c1'] })], { items })).toBe(107);
    expect(pointsOf([always, bonus({ extraPoints: 7, categoryIds: ['c9'] })], { items })).toBe(100);
    expect(pointsOf([bonus({ extraPoints: 7 })], { items })).toBe(7);
  });

  test('never counts more than was paid', () => {
    const dear = [{ productId: 'p1', categoryIds: [], amountMinor: 99_999n }];
    expect(pointsOf([always, bonus({ multiplier: 2, productIds: ['p1'] })], { items: dear })).toBe(200);
  });

  test('adds to other bonuses', () => {
    const two = [bonus({ id: 'b1', extraPoints: 7 }), bonus({ id: 'b2', multiplier: 1.1 })];
    expect(pointsOf([always, ...two])).toBe(117);
  });
});

const rule = fc.record({
  id: fc.uuid(),
  kind: fc.constantFrom('BASE' as const, 'BONUS' as const),
  isActive: fc.boolean(),
  appliesTo: fc.constantFrom('ORDER' as const, 'RECEIPT' as const, 'BOTH' as const),
  priority: fc.nat(3),
  rate: fc.nat(100_000_000).map((n) => n / 10_000),
  currency: fc.constantFrom(null, 'EUR', 'JPY'),
  minimumMinor: fc.bigInt({ min: 0n, max: 20_000n }),
  startsAt: fc.constantFrom(null, noon, new Date(noon.getTime() + 1)),
  endsAt: fc.constantFrom(null, noon, new Date(noon.getTime() + 1)),
  categoryIds: fc.subarray(['c1', 'c2', 'c3']),
  productIds: fc.subarray(['p1', 'p2']),
  multiplier: fc.integer({ min: 1_001, max: 100_000 }).map((n) => n / 1_000),
  extraPoints: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
  createdAt: fc.nat(3).map((n) => new Date(n)),
});
const rules = fc.uniqueArray(rule, { maxLength: 12, selector: ({ id }) => id });
const purchases = fc.record({
  kind: fc.constantFrom('ORDER' as const, 'RECEIPT' as const),
  totalMinor: fc.bigInt({ min: 0n, max: 10n ** 15n }),
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  occurredAt: fc.constant(noon),
  items: fc.array(
    fc.record({
      productId: fc.constantFrom(null, 'p1', 'p2'),
      categoryIds: fc.subarray(['c1', 'c2', 'c3']),
      amountMinor: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    }),
    { maxLength: 5 },
  ),
});

describe('whatever the rules and the purchase', () => {
  test('points are whole, from zero to what a ledger holds, and the sum of the lines', () => {
    fc.assert(
      fc.property(rules, purchases, (all, bought) => {
        const { points, lines } = evaluate(all, bought);
        expect(Number.isInteger(points) && points >= 0 && points <= POINTS_MAX).toBe(true);
        expect(lines.reduce((sum, line) => sum + line.points, 0)).toBe(points);
        expect(
          lines.filter(({ ruleId }) => all.find(({ id }) => id === ruleId)?.kind === 'BASE').length,
        ).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('the order of the rules does not matter, nor do rules that do not apply', () => {
    fc.assert(
      fc.property(rules, purchases, (all, bought) => {
        const points = evaluate(all, bought).points;
        expect(evaluate(all.toReversed(), bought).points).toBe(points);
        const others = all.map((each) => ({ ...each, id: `${each.id}-off`, isActive: false }));
        expect(evaluate([...others, ...all], bought).points).toBe(points);
      }),
    );
  });

  test('paying more never earns less', () => {
    fc.assert(
      fc.property(rules, purchases, fc.bigInt({ min: 0n, max: 10n ** 6n }), (all, bought, more) => {
        // Minimums are removed: a higher amount could otherwise match a base rule with a lower rate.
        const open = all.map((each) => ({ ...each, minimumMinor: 0n }));
        const richer = { ...bought, totalMinor: bought.totalMinor + more };
        expect(evaluate(open, richer).points).toBeGreaterThanOrEqual(evaluate(open, bought).points);
      }),
    );
  });

  test("a tier's multiplier rounds down and never leaves the ledger's range", () => {
    fc.assert(
      fc.property(fc.nat(POINTS_MAX), fc.nat(100_000), (points, thousandths) => {
        const exact = (BigInt(points) * BigInt(thousandths)) / 1_000n;
        const most = exact > BigInt(POINTS_MAX) ? BigInt(POINTS_MAX) : exact;
        expect(BigInt(multiplied(points, thousandths / 1_000))).toBe(most);
      }),
    );
  });
});
