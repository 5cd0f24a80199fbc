import { describe, expect, test } from '@jest/globals';
import type { AlignmentTarget } from '../estimators/training-request.ts';
import { auc } from '../numerics/metrics.ts';
import { seededRandom } from '../numerics/seeded-random.ts';
import { fitOwnHistory } from './fit-own-history.ts';
import {
  cartMembers,
  type GeneratedMembers,
  indistinctMembers,
  lapsingMembers,
  rhythmicMembers,
  seasonalMembers,
  windowsOf,
} from './generated-histories.fixture.ts';
import type { LabeledHistory } from './labeled-windows.ts';

const HORIZON = 30;
const size = { members: 1_200, days: 500, seed: 7 };

const fitted = (history: LabeledHistory, target: AlignmentTarget, horizon = HORIZON) =>
  fitOwnHistory(
    {
      target,
      history,
      config: { origin: 'live', horizon, ruleVersion: null, definition: null },
      evaluatedAt: '2026-03-02T10:00:00.000Z',
    },
    () => undefined,
  );

interface Report {
  readonly learner: {
    readonly name: string;
    readonly candidates: readonly { readonly gain?: { readonly low: string } }[];
  };
  readonly evaluation: {
    readonly metrics: Readonly<Record<string, { value: string; low: string; high: string }>>;
    readonly baseline: Readonly<Record<string, string>>;
    readonly gates: readonly { name: string; passed: boolean; value: string }[];
  };
}

/** Returns the figures of the newest window for a head and for the true chances of the process. */
function evaluated(generated: GeneratedMembers, target: AlignmentTarget, horizon = HORIZON) {
  const history = windowsOf(generated, target, horizon);
  const [{ members, labels, cutoffDay }] = history.windows as [LabeledHistory['windows'][number]];
  const chances = Array.from(members, (member) => generated.chanceOf(member, cutoffDay, horizon));
  const best = auc(target === 'purchase' ? chances : chances.map((chance) => 1 - chance), labels);
  const outcome = fitted(history, target, horizon);
  const report = JSON.parse(outcome.reportJson) as Report;
  const { evaluation } = report;
  const figure = (name: string) => {
    const { value, low, high } = evaluation.metrics[name]!;
    return { value: Number(value), low: Number(low), high: Number(high) };
  };
  const failed = evaluation.gates.filter(({ passed }) => !passed);
  const standardAuc = Number(evaluation.baseline['standard_auc']);
  return { outcome, report, figure, failed, best, gainOfProcess: best - standardAuc };
}

describe('on members of a known process', () => {
  test.each([
    ['a rhythm of their own', rhythmicMembers, 500, 0.25],
    ['lapses that the standard model does not expect', lapsingMembers, 500, 0.02],
    ['a season of their own', seasonalMembers, 1_000, 0.12],
  ] as const)('a head recovers the gain that %s allows', (_, make, days, gainMin) => {
    const { outcome, figure, failed, gainOfProcess } = evaluated(make({ ...size, days }), 'purchase');
    const gain = figure('auc_gain_over_standard');
    expect(failed).toEqual([]);
    expect(outcome.passed).toBe(true);
    expect(gain.low).toBeGreaterThan(gainMin);
    expect(gain.high).toBeGreaterThanOrEqual(gainOfProcess);
    expect(figure('log_loss_gain_over_standard').low).toBeGreaterThan(0);
  });

  test('a head for churn says of each member the opposite of one for purchase', () => {
    const generated = lapsingMembers(size);
    const [purchase, churn] = (['purchase', 'churn'] as const).map((target) => evaluated(generated, target));
    expect(churn!.outcome.passed).toBe(true);
    expect(churn!.figure('auc').value).toBeCloseTo(purchase!.figure('auc').value, 2);
  });

  test('a head for abandonment finds who leaves a cart, as well as the process allows', () => {
    const generated = cartMembers(size, (random) => 0.02 + 0.5 * random() ** 2);
    const { outcome, figure, failed, best } = evaluated(generated, 'abandonment');
    expect(failed).toEqual([]);
    expect(outcome.passed).toBe(true);
    expect(figure('auc').value).toBeGreaterThan(0.7);
    expect(figure('auc').high).toBeGreaterThanOrEqual(best - 0.02);
  });

  test('nothing is to be proposed where everybody leaves carts alike', () => {
    const { outcome, failed } = evaluated(
      cartMembers(size, () => 0.1),
      'abandonment',
    );
    expect(outcome.passed).toBe(false);
    expect(failed.map(({ name }) => name)).toContain('auc_bound');
  });

  test.each([
    ['members with a rhythm', 'boosted_trees', rhythmicMembers, 500],
    ['members who are all alike', 'logistic', indistinctMembers, 500],
    ['members with seasons', 'logistic', seasonalMembers, 1_000],
  ] as const)(
    'the learner for %s is %s: trees have to be better at a later time',
    (_, learner, make, days) => {
      const { report } = evaluated(make({ ...size, days }), 'purchase');
      expect(report.learner.name).toBe(learner);
      const gains = report.learner.candidates.flatMap(({ gain }) => (gain ? [Number(gain.low)] : []));
      expect(gains.some((low) => low > 0)).toBe(learner === 'boosted_trees');
    },
  );

  test.each([1, 2, 3])('nothing is to be proposed where everybody buys alike, seed %i', (seed) => {
    const { outcome, failed } = evaluated(indistinctMembers({ ...size, seed }), 'purchase');
    expect(outcome.passed).toBe(false);
    expect(failed.map(({ name }) => name)).toEqual(expect.arrayContaining(['auc', 'auc_bound']));
  });

  test.each(['purchase', 'churn'] as const)('shuffled labels never pass: %s', (target) => {
    const history = windowsOf(rhythmicMembers({ ...size, members: 700 }), target, HORIZON);
    const random = seededRandom(3);
    for (const { labels } of history.windows) shuffle(labels, random);
    expect(fitted(history, target).passed).toBe(false);
  });
});

test('the same facts give the same bits', () => {
  const [one, other] = [0, 1].map(() =>
    fitted(windowsOf(rhythmicMembers({ ...size, members: 700 }), 'purchase', HORIZON), 'purchase'),
  );
  expect(one!.artifactJson).toBe(other!.artifactJson);
  expect(one!.reportJson).toBe(other!.reportJson);
});

function shuffle(labels: Uint8Array, random: () => number): void {
  for (let last = labels.length - 1; last > 0; last -= 1) {
    const place = Math.floor(random() * (last + 1));
    [labels[last], labels[place]] = [labels[place]!, labels[last]!];
  }
}
