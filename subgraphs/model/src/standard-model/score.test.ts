import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cdnow } from '../lab/cdnow.fixture.ts';
import { expectedPurchases, score } from './score.ts';
import type { ScoreBlock } from './score-block.ts';
import { blockOf, CUTOFF, type MemberStatistics } from './statistics-block.fixture.ts';
import { NO_FIGURES } from './statistics-block.ts';

const pool = { adds: 400, removes: 100 };
const first = { version: 'std-1', pool, figures: NO_FIGURES } as const;
const scored = (
  members: readonly MemberStatistics[],
  options: { purchaseDays?: number; gapDays?: number } = {},
) => score(blockOf(members), CUTOFF, { ...first, ...options });

describe('the closed forms give the figures of another implementation', () => {
  const members = blockOf(
    cdnow.map(([x, , , , , , txDays, tDays]) => ({
      purchaseDays: x + 1,
      firstAgo: tDays,
      lastAgo: tDays - txDays,
    })),
  );
  const scores = score(members, CUTOFF, first);
  const expected = expectedPurchases(members, scores, CUTOFF, { ...first, days: 30 });

  test('for at least 30 customers of CDNOW', () => expect(cdnow.length).toBeGreaterThanOrEqual(30));

  test.each(cdnow.map((customer, row) => ({ row, customer, x: customer[0], t: customer[7] })))(
    'with $x repeats in $t days, to 1e-9',
    ({ row, customer }) => {
      const ours = [
        scores.aliveChance[row]!,
        scores.purchase[row]!,
        scores.longGap[row]!,
        scores.gapSurvival[row]!,
        expected[row]!,
      ];
      const apart = customer.slice(8).map((figure, index) => Math.abs(ours[index]! / figure - 1));
      expect(Math.max(...apart)).toBeLessThan(1e-9);
    },
  );
});

test('horizons other than 30 and 90 days are used where they are given', () => {
  const member = { purchaseDays: 4, firstAgo: 300, lastAgo: 20 };
  const [usual, other] = [scored([member]), scored([member], { purchaseDays: 90, gapDays: 30 })];
  expect(other.purchase[0]).toBeCloseTo(1 - usual.longGap[0]!, 14);
  expect(other.longGap[0]).toBeCloseTo(1 - usual.purchase[0]!, 14);
});

test('a member who only browses is scored by visits and by how they end, and never above .5', () => {
  const visitor = { events: 9, sessions: 4, buySessions: 0, firstEventAgo: 49, lastEventAgo: 1 };
  const shopper = { events: 900, sessions: 300, buySessions: 290, firstEventAgo: 9, lastEventAgo: 0 };
  const { purchase } = scored([visitor, shopper]);
  expect(purchase[0]).toBeCloseTo(1 - Math.exp((-5 / 50) * 30 * (1 / 24)), 12);
  expect(purchase[1]).toBe(0.5);
});

test('cart removals are drawn to the rate of all members, and counts decay by half in 30 days', () => {
  const heavy = { adds: 20, removes: 20, lastCartAgo: 0, lastEventAgo: 0 };
  const { cartRemoval } = scored([heavy, { ...heavy, lastCartAgo: 30, lastEventAgo: 30 }]);
  const pooled = (100 + 10) / (400 + 20);
  expect(cartRemoval[0]).toBeCloseTo((10 * pooled + 20) / (10 + 20), 12);
  expect(cartRemoval[1]).toBeCloseTo((10 * pooled + 10) / (10 + 10), 12);
});

test('more removals than adds are a rate of 1', () => {
  const { cartRemoval } = scored([{ adds: 0, removes: 50, lastCartAgo: 0, lastEventAgo: 0 }]);
  expect(cartRemoval[0]).toBe(1);
});

test('a row that lies ahead of the cutoff is taken as having happened at it', () => {
  const { purchase, aliveChance, cartRemoval } = scored([
    { purchaseDays: 3, firstAgo: -5, lastAgo: -2, adds: 1, lastCartAgo: -3 },
    { purchaseDays: 3, firstAgo: 0, lastAgo: 0, adds: 1, lastCartAgo: 0 },
  ]);
  for (const column of [purchase, aliveChance, cartRemoval]) expect(column[0]).toBe(column[1]);
});

describe('extremes have scores:', () => {
  const century = 36_525;
  test.each<[string, MemberStatistics]>([
    ['a first purchase today', { purchaseDays: 1 }],
    ['one purchase a hundred years ago', { purchaseDays: 1, firstAgo: century }],
    ['100,001 purchase days until today', { purchaseDays: 100_001, firstAgo: century, lastAgo: 0 }],
    ['100,001 purchase days, then a century of silence', { purchaseDays: 100_001, firstAgo: century }],
  ])('%s', (_, member) => {
    const block = blockOf([member]);
    const scores = score(block, CUTOFF, first);
    const expected = expectedPurchases(block, scores, CUTOFF, { ...first, days: 3_650 })[0]!;
    for (const value of chancesOf(scores, 0)) expect(value >= 0 && value <= 1).toBe(true);
    expect(Number.isFinite(expected) && expected >= 0).toBe(true);
  });
});

const chancesOf = ({ purchase, longGap, aliveChance, gapSurvival }: ScoreBlock, row: number): number[] => [
  purchase[row]!,
  longGap[row]!,
  aliveChance[row]!,
  gapSurvival[row]!,
];

const ago = fc.nat(20_000);
const buyer = fc.record({ purchaseDays: fc.integer({ min: 1, max: 100_000 }), one: ago, other: ago }).map(
  ({ purchaseDays, one, other }): MemberStatistics => ({
    purchaseDays,
    firstAgo: Math.max(one, other),
    lastAgo: purchaseDays === 1 ? Math.max(one, other) : Math.min(one, other),
  }),
);
const visitor = fc.record({
  events: fc.nat(5_000),
  sessions: fc.nat(900),
  buySessions: fc.nat(900),
  firstEventAgo: ago,
  lastEventAgo: ago,
  adds: fc.double({ min: 0, max: 1e6, noNaN: true }),
  removes: fc.double({ min: 0, max: 1e6, noNaN: true }),
  lastCartAgo: fc.option(ago, { nil: undefined }),
});

test('scores of whoever bought are chances, and none is missing', () => {
  fc.assert(
    fc.property(buyer, fc.integer({ min: 1, max: 3_650 }), (member, days) => {
      const scores = scored([member], { purchaseDays: days, gapDays: days });
      for (const chance of chancesOf(scores, 0)) expect(chance >= 0 && chance <= 1).toBe(true);
      expect(scores.purchase[0]! + scores.longGap[0]!).toBeCloseTo(1, 12);
    }),
    { numRuns: 2_000 },
  );
});

test('every score is a chance, or missing with a reason', () => {
  fc.assert(
    fc.property(visitor, fc.option(buyer, { nil: {} }), (events, purchases) => {
      const scores = scored([{ ...events, ...purchases } as MemberStatistics]);
      const { purchaseReasons, longGapReasons, cartRemovalReasons } = scores;
      const unscored: [Float64Array, Uint16Array][] = [
        [scores.purchase, purchaseReasons],
        [scores.longGap, longGapReasons],
        [scores.cartRemoval, cartRemovalReasons],
      ];
      for (const [[value], [bits]] of unscored)
        if (Number.isNaN(value)) expect(bits).not.toBe(0);
        else expect(value! >= 0 && value! <= 1).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('another day of silence makes a purchase less likely and a long gap likelier', () => {
  fc.assert(
    fc.property(buyer, fc.integer({ min: 1, max: 900 }), (member, days) => {
      const later = { ...member, firstAgo: member.firstAgo! + days, lastAgo: member.lastAgo! + days };
      const { purchase, longGap, aliveChance, gapSurvival } = scored([member, later]);
      for (const falling of [purchase, aliveChance, gapSurvival])
        expect(falling[1]).toBeLessThanOrEqual(falling[0]!);
      expect(longGap[1]).toBeGreaterThanOrEqual(longGap[0]!);
    }),
    { numRuns: 2_000 },
  );
});

test('a longer horizon holds at least as many purchases', () => {
  fc.assert(
    fc.property(buyer, fc.integer({ min: 1, max: 700 }), (member, days) => {
      const block = blockOf([member]);
      const scores = score(block, CUTOFF, { ...first, purchaseDays: 1 });
      const [near, far] = [days, days + 1].map(
        (ahead) => expectedPurchases(block, scores, CUTOFF, { ...first, days: ahead })[0]!,
      );
      expect(far).toBeGreaterThanOrEqual(near!);
      expect(near).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 500 },
  );
});

test('a member is scored the same alone and among others', () => {
  const members = [{ purchaseDays: 3, firstAgo: 90, lastAgo: 9 }, {}, { events: 8, firstEventAgo: 7 }];
  const together = scored(members);
  for (const [row, member] of members.entries())
    expect(scored([member]).purchase[0]).toBe(together.purchase[row]);
});
