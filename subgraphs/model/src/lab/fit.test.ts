import { describe, expect, test } from '@jest/globals';
import { bgNbd } from './bg-nbd.ts';
import { weighted } from './calibration.ts';
import { cdnow } from './cdnow.fixture.ts';
import { fitModel, logLikelihood } from './fit.ts';
import { mbgNbd } from './mbg-nbd.ts';
import { paretoNbd } from './pareto-nbd.ts';
import { simulateBgNbd, simulateMbgNbd, simulateParetoNbd } from './simulated-customers.fixture.ts';

const PUBLISHED_BG = [0.243, 4.414, 0.793, 2.426];
const customers = cdnow.map(([x, tx, t, bgLogLikelihood, bgAlive, bgExpected]) => ({
  x,
  tx,
  t,
  bgLogLikelihood,
  bgAlive,
  bgExpected,
}));

describe('BG/NBD at its published parameters gives the figures of another implementation, to 1e-9:', () => {
  const largest = (shares: readonly number[]) => Math.max(...shares.map((share) => Math.abs(share - 1)));

  test('log-likelihoods', () => {
    const one = bgNbd.logLikelihood(PUBLISHED_BG);
    expect(largest(customers.map((each) => one(each) / each.bgLogLikelihood))).toBeLessThan(1e-9);
  });

  test('chances to be alive', () => {
    const shares = customers.map((each) => bgNbd.aliveChance(PUBLISHED_BG, each) / each.bgAlive);
    expect(largest(shares)).toBeLessThan(1e-9);
  });

  test('purchases expected in 39 weeks', () => {
    const shares = customers.map((each) => bgNbd.expectedPurchases(PUBLISHED_BG, each, 39) / each.bgExpected);
    expect(largest(shares)).toBeLessThan(1e-9);
  });
});

const simulation = { seed: 5, size: 1_500, watched: [100, 700], ahead: 90 } as const;

describe.each([
  { model: bgNbd, truth: [0.8, 30, 0.9, 3], simulate: simulateBgNbd },
  { model: mbgNbd, truth: [0.8, 30, 0.9, 3], simulate: simulateMbgNbd },
  { model: paretoNbd, truth: [0.8, 30, 0.7, 150], simulate: simulateParetoNbd },
])('of 1,500 customers that $model.name simulated', ({ model, truth, simulate }) => {
  const simulated = simulate(simulation, truth);
  const patterns = weighted(simulated);
  const found = fitModel(model, patterns);

  test('a fit finds the parameters, within what chance allows', () => {
    expect(found.hasConverged).toBe(true);
    for (const [index, value] of truth.entries())
      expect(Math.abs(Math.log(found.parameters[index]! / value))).toBeLessThan(0.5);
  });

  test('a fit is likelier than the truth, and than anything near it', () => {
    expect(found.logLikelihood).toBeGreaterThanOrEqual(logLikelihood(model, truth, patterns));
    for (const index of truth.keys())
      for (const factor of [0.99, 1.01]) {
        const near = found.parameters.map((each, at) => (at === index ? each * factor : each));
        expect(logLikelihood(model, near, patterns)).toBeLessThan(found.logLikelihood);
      }
  });

  test('as much is bought afterwards as the truth expects, within 10 percent', () => {
    const expected = simulated.reduce((sum, each) => sum + model.expectedPurchases(truth, each, 90), 0);
    const bought = simulated.reduce((sum, { later }) => sum + later, 0);
    expect(Math.abs(bought / expected - 1)).toBeLessThan(0.1);
  });
});

test('data that show no dropping out are fitted without a claim to have converged', () => {
  const patterns = Array.from({ length: 40 }, (_, index) => ({
    x: 5 + (index % 7),
    tx: 100,
    t: 100,
    weight: 1,
  }));
  expect(fitModel(bgNbd, patterns).hasConverged).toBe(false);
});

test('a pattern of weight two counts as two', () => {
  const [one, other] = [customers[3]!, customers[9]!];
  const twice = logLikelihood(bgNbd, PUBLISHED_BG, weighted([one, other, one]));
  expect(twice).toBeCloseTo(2 * one.bgLogLikelihood + other.bgLogLikelihood, 8);
});
