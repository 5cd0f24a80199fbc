import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import fc from 'fast-check';
import { foldDays } from '../facts/fold.ts';
import { stateOf } from './present-state.ts';
import { score } from './score.ts';
import type { ScoreOptions } from './score-block.ts';
import { standardModels } from './standard-versions.ts';
import { blockOf, CUTOFF, type MemberStatistics } from './statistics-block.fixture.ts';
import { NO_FIGURES, type StatisticsBlock, type WorkspaceFigures } from './statistics-block.ts';
import { browserPoints, counts, pools, rhythmPoints } from './std-2.fixture.ts';

const pool = { adds: 400, removes: 100 };
const second = (figures: Partial<WorkspaceFigures> = {}, more: Partial<ScoreOptions> = {}): ScoreOptions => ({
  version: 'std-2',
  pool,
  figures: { ...NO_FIGURES, ...figures },
  ...more,
});
const first: ScoreOptions = { version: 'std-1', pool, figures: NO_FIGURES };

/** Returns members who bought at these intervals, and then nothing for `gap` days. */
function buyers(members: readonly { intervals: readonly number[]; gap: number }[]): StatisticsBlock {
  const block = blockOf(members.map(() => ({})));
  members.forEach(({ intervals, gap }, row) => {
    const last = CUTOFF.day - gap;
    const days = [last];
    for (const interval of intervals.toReversed()) days.unshift(days[0]! - interval);
    const folded = foldDays(days);
    block.purchaseDays[row] = folded.purchaseDays;
    block.firstDay[row] = folded.firstDay!;
    block.lastDay[row] = folded.lastDay!;
    block.logSum[row] = folded.logSum;
    block.logSquares[row] = folded.logSquares;
    block.daySquares[row] = folded.daySquares;
  });
  return block;
}

const OVERDUE = 512;

describe('the formulas give the figures of another implementation, to 1e-7', () => {
  test('at 40 points or more', () =>
    expect(rhythmPoints.length + browserPoints.length).toBeGreaterThanOrEqual(40));

  test.each(rhythmPoints)(
    '%s pool: intervals of %j days, %d days silent',
    (name, intervals, gap, ...figures) => {
      const scores = score(buyers([{ intervals, gap }]), CUTOFF, second({ intervals: pools[name] }));
      const [purchase, longGap, alive, survival, overdueCycles, isOverdue] = figures;
      const ours = [scores.purchase, scores.longGap, scores.aliveChance, scores.gapSurvival].map(
        ([value]) => value!,
      );
      [purchase, longGap, alive, survival].forEach((figure, place) => {
        expect(Math.abs(ours[place]! / figure - 1)).toBeLessThan(1e-7);
      });
      expect(scores.overdueCycles[0]).toBeCloseTo(overdueCycles, 7);
      expect((scores.purchaseReasons[0]! & OVERDUE) !== 0).toBe(isOverdue);
      expect((scores.longGapReasons[0]! & OVERDUE) !== 0).toBe(isOverdue);
    },
  );

  test.each(browserPoints)(
    '%s workspace: %d sessions, %d with a purchase, idle for %d days; %d days ahead',
    (name, sessions, buySessions, lastEventAgo, purchaseDays, purchase) => {
      const member = { events: 9, sessions, buySessions, firstEventAgo: 200, lastEventAgo };
      const scores = score(blockOf([member]), CUTOFF, second(counts[name], { purchaseDays }));
      expect(Math.abs(scores.purchase[0]! / purchase - 1)).toBeLessThan(1e-7);
    },
  );
});

test('members with fewer than three intervals are scored as by std-1', () => {
  const members = buyers([
    { intervals: [], gap: 20 },
    { intervals: [30], gap: 20 },
    { intervals: [30, 30], gap: 20 },
  ]);
  const [one, two] = [score(members, CUTOFF, first), score(members, CUTOFF, second())];
  expect(two.purchase).toEqual(one.purchase);
  expect(two.longGap).toEqual(one.longGap);
  expect([...two.overdueCycles]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});

describe('an exact rhythm of 30 days, in a workspace of such members', () => {
  const intervals = [30, 30, 30, 30, 30, 30];
  const figures = { intervals: { mean: Math.log(30), varianceWithin: 0.05, varianceBetween: 0.05 } };
  const at = (gap: number) => stateOf(buyers([{ intervals, gap }]), scoresAt(gap), 0, CUTOFF);
  const scoresAt = (gap: number) => score(buyers([{ intervals, gap }]), CUTOFF, second(figures));

  test('makes a purchase likely on the due day, more than by std-1', () => {
    const one = score(buyers([{ intervals, gap: 30 }]), CUTOFF, first).purchase[0]!;
    expect(one).toBeLessThan(0.6);
    expect(at(30).purchase.score!).toBeGreaterThan(0.85);
    expect(at(30).status).toBe('OK');
  });

  test('that missed three cycles is overdue, and says how many', () => {
    const state = at(120);
    expect(state.status).toBe('DEGRADED');
    expect(state.limitations).toContain('OVERDUE');
    expect(state.longGap.score!).toBeGreaterThan(0.9);
    const { value } = state.evidence.find(({ kind }) => kind === 'overdue_cycles')!;
    expect(value).toBeCloseTo(3, 1);
  });
});

const intervalsOf = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 3, maxLength: 60 });

test('scores of whoever has a rhythm are chances, and another day of silence makes it less likely a customer', () => {
  fc.assert(
    fc.property(intervalsOf, fc.nat(3_000), fc.integer({ min: 1, max: 365 }), (intervals, gap, days) => {
      const members = buyers([
        { intervals, gap },
        { intervals, gap: gap + 1 },
      ]);
      const scores = score(members, CUTOFF, second({}, { purchaseDays: days, gapDays: days }));
      for (const column of [scores.purchase, scores.longGap, scores.aliveChance, scores.gapSurvival])
        for (const chance of column) expect(chance >= 0 && chance <= 1).toBe(true);
      expect(scores.purchase[0]! + scores.longGap[0]!).toBeCloseTo(1, 12);
      expect(scores.aliveChance[1]).toBeLessThanOrEqual(scores.aliveChance[0]! + 1e-12);
      expect(scores.overdueCycles[1]).toBeGreaterThanOrEqual(scores.overdueCycles[0]!);
    }),
    { numRuns: 2_000 },
  );
});

test('a longer horizon never makes a purchase less likely', () => {
  fc.assert(
    fc.property(intervalsOf, fc.nat(2_000), fc.integer({ min: 1, max: 364 }), (intervals, gap, days) => {
      const of = (purchaseDays: number) =>
        score(buyers([{ intervals, gap }]), CUTOFF, second({}, { purchaseDays })).purchase[0]!;
      expect(of(days + 1)).toBeGreaterThanOrEqual(of(days) - 1e-12);
    }),
    { numRuns: 1_000 },
  );
});

describe('a member who only browses', () => {
  const browser = fc.record({
    sessions: fc.integer({ min: 1, max: 900 }),
    buySessions: fc.nat(900),
    lastEventAgo: fc.nat(900),
  });
  const counted = fc
    .record({ browsers: fc.nat(9_999), bought: fc.nat(9_999), best: fc.nat(999), bestBought: fc.nat(999) })
    .map(({ browsers, bought, best, bestBought }) => ({
      browsers: { members: browsers, bought: Math.min(bought, browsers), meanWeight: 1.4 },
      bestBuyers: { members: best, bought: Math.min(bestBought, best) },
    }));
  const scoreOf = (members: readonly MemberStatistics[], figures: Partial<WorkspaceFigures>) =>
    score(
      blockOf(members.map((each) => ({ events: 9, firstEventAgo: 900, ...each }))),
      CUTOFF,
      second(figures),
    ).purchase;

  test('scores more with another session, another one with a purchase, and a later event', () => {
    fc.assert(
      fc.property(browser, counted, (member, figures) => {
        const [base, ...more] = scoreOf(
          [
            member,
            { ...member, sessions: member.sessions + 1 },
            { ...member, buySessions: member.buySessions + 1 },
            { ...member, lastEventAgo: Math.max(member.lastEventAgo - 1, 0) },
          ],
          figures,
        );
        for (const each of more) expect(each).toBeGreaterThanOrEqual(base!);
      }),
      { numRuns: 2_000 },
    );
  });

  test('never exceeds the best buyers of the workspace', () => {
    fc.assert(
      fc.property(browser, counted, (member, figures) => {
        const { members, bought } = figures.bestBuyers;
        const best = (bought + 5) / (members + 10);
        expect(scoreOf([member], figures)[0]! - best).toBeLessThan(1e-12);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is told apart from one with more visits, and scores as the browsers of the workspace do', () => {
    const figures = {
      browsers: { members: 5_000, bought: 200, meanWeight: 1.4 },
      bestBuyers: { members: 500, bought: 300 },
    };
    const [few, many] = scoreOf(
      [
        { sessions: 1, buySessions: 0, lastEventAgo: 2 },
        { sessions: 700, buySessions: 0, lastEventAgo: 2 },
      ],
      figures,
    );
    expect(many!).toBeGreaterThan(3 * few!);
    expect(few!).toBeGreaterThan(0.02);
    expect(few!).toBeLessThan(0.06);
  });

  test('needs three events', () => {
    const members = blockOf([{ events: 2, sessions: 1, firstEventAgo: 3, lastEventAgo: 3 }]);
    const { purchase } = stateOf(members, score(members, CUTOFF, second()), 0, CUTOFF);
    expect(purchase).toMatchObject({ status: 'UNAVAILABLE', reasons: ['INSUFFICIENT_HISTORY'] });
  });
});

describe('cart removals', () => {
  const members = blockOf([{ adds: 9, removes: 0, lastCartAgo: 1, lastEventAgo: 1 }, {}]);
  const removal = (row: number, removes: number, options = second()) => {
    const scores = score(members, CUTOFF, { ...options, pool: { adds: 900, removes } });
    return stateOf(members, scores, row, CUTOFF).cartRemoval;
  };

  test('are unavailable where the workspace has never sent one', () => {
    expect(removal(0, 0)).toEqual({
      score: null,
      status: 'UNAVAILABLE',
      horizonDays: null,
      reasons: ['NO_REMOVALS_SEEN'],
    });
    expect(removal(0, 1).score).not.toBeNull();
    expect(removal(1, 0).reasons).toEqual(['NO_CART_EVENTS']);
  });

  test('are scored by std-1 as ever', () => {
    expect(removal(0, 0, first)).toMatchObject({ status: 'OK', reasons: [] });
  });

  test('are likelier with more of them', () => {
    const removes = [0, 1, 5, 20].map((count) => ({
      adds: 9,
      removes: count,
      lastCartAgo: 1,
      lastEventAgo: 1,
    }));
    const { cartRemoval } = score(blockOf(removes), CUTOFF, second());
    expect([...cartRemoval]).toEqual([...cartRemoval].sort((a, b) => a - b));
  });
});

describe('a season', () => {
  const bit = (...months: number[]) => months.reduce((bits, month) => bits | (1 << (month - 1)), 0);
  const buyer = { purchaseDays: 6, firstAgo: 760, lastAgo: 20 };
  const reasonsWith = (member: MemberStatistics, options = second()) => {
    const members = blockOf([member]);
    return stateOf(members, score(members, CUTOFF, options), 0, CUTOFF).purchase.reasons;
  };

  test.each([
    ['one month', bit(11)],
    ['two months', bit(11, 12)],
    ['December and January', bit(12, 1)],
  ])('of %s lowers the status', (_, months) => {
    expect(reasonsWith({ ...buyer, months })).toContain('SEASONAL_PATTERN');
    expect(reasonsWith({ ...buyer, months }, first)).not.toContain('SEASONAL_PATTERN');
  });

  test.each<[string, MemberStatistics]>([
    ['months that are not known', buyer],
    ['months that are apart', { ...buyer, months: bit(3, 5) }],
    ['three months', { ...buyer, months: bit(11, 12, 1) }],
    ['one year', { ...buyer, firstAgo: 80, months: bit(11, 12) }],
    ['three purchases', { ...buyer, purchaseDays: 3, months: bit(11, 12) }],
  ])('is not seen in %s', (_, member) => {
    expect(reasonsWith(member)).not.toContain('SEASONAL_PATTERN');
  });
});

test('a workspace without skill says so in every state that has scores of purchases', () => {
  const members = blockOf([
    { purchaseDays: 5, firstAgo: 300, lastAgo: 20 },
    { events: 9, sessions: 3, firstEventAgo: 30, lastEventAgo: 2 },
    {},
  ]);
  const limitations = (options: ScoreOptions) =>
    [0, 1, 2].map((row) => stateOf(members, score(members, CUTOFF, options), row, CUTOFF).limitations);
  const isLow = second({ hasLowSkill: true });
  expect(limitations(isLow).map((codes) => codes.includes('LOW_SKILL_HERE'))).toEqual([true, true, false]);
  expect(limitations({ ...isLow, version: 'std-1' }).flat()).not.toContain('LOW_SKILL_HERE');
  expect(limitations(second()).flat()).not.toContain('LOW_SKILL_HERE');
});

test('the fingerprint of the parameters changes only with them', () => {
  expect(standardModels['std-2'].parametersSha256).toBe(
    '6ab679367c4db9870d0a9c5efe5ae0088cff889d0931a50378be2ac2265ce52c',
  );
});

test('the scores of std-1 do not change with what a workspace counts', () => {
  const members = blockOf([{ events: 9, sessions: 3, firstEventAgo: 30, lastEventAgo: 2 }]);
  const figures = { ...NO_FIGURES, ...counts.counted, intervals: pools.fitted, hasLowSkill: true };
  expect(score(members, CUTOFF, { ...first, figures })).toEqual(score(members, CUTOFF, first));
  expect(CUTOFF.ms / DAY_MS).toBe(CUTOFF.day);
});
