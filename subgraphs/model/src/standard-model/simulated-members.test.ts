import { describe, expect, test } from '@jest/globals';
import { simulateMbgNbd } from '../lab/simulated-customers.fixture.ts';
import { expectedPurchases, score } from './score.ts';
import { blockOf, CUTOFF } from './statistics-block.fixture.ts';
import { NO_FIGURES } from './statistics-block.ts';
import { std1 } from './std-1.ts';

const { r, alpha, a, b } = std1;
const SIZE = 60_000;
const HORIZON = 30;

describe('among 60,000 simulated members', () => {
  const simulation = { seed: 20_070_612, size: SIZE, watched: [30, 700], ahead: HORIZON } as const;
  const customers = simulateMbgNbd(simulation, [r, alpha, a, b]);
  const members = blockOf(
    customers.map(({ x, tx, t }) => ({
      purchaseDays: x + 1,
      firstAgo: Math.round(t),
      lastAgo: Math.round(t - tx),
    })),
  );
  const scores = score(members, CUTOFF, {
    version: 'std-1',
    pool: { adds: 0, removes: 0 },
    figures: NO_FIGURES,
    purchaseDays: HORIZON,
  });
  const byScore = Array.from(scores.purchase.keys()).sort(
    (m, n) => scores.purchase[m]! - scores.purchase[n]!,
  );
  const deciles = Array.from({ length: 10 }, (_, decile) => ({
    decile: decile + 1,
    rows: byScore.slice((decile * SIZE) / 10, ((decile + 1) * SIZE) / 10),
  }));

  test.each(deciles)('as many of tenth $decile buy as their scores say', ({ rows }) => {
    const sum = (of: (row: number) => number) => rows.reduce((total, row) => total + of(row), 0);
    const expected = sum((row) => scores.purchase[row]!);
    const deviation = Math.sqrt(sum((row) => scores.purchase[row]! * (1 - scores.purchase[row]!)));
    const bought = sum((row) => Number(customers[row]!.later > 0));
    expect(Math.abs(bought - expected)).toBeLessThan(4 * deviation);
  });

  test('there are as many purchases as expected, to 2 percent', () => {
    const expected = expectedPurchases(members, scores, CUTOFF, {
      version: 'std-1',
      days: HORIZON,
    }).reduce((sum, each) => sum + each, 0);
    const bought = customers.reduce((sum, { later }) => sum + later, 0);
    expect(Math.abs(bought / expected - 1)).toBeLessThan(0.02);
  });
});
