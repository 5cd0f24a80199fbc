import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { canonicalJson, sha256Hex } from '../estimators/canonical-json.ts';
import { permutedTargets } from '../estimators/permuted-targets.ts';
import type { AlignmentTarget } from '../estimators/training-request.ts';
import { standardModels } from '../standard-model/standard-versions.ts';
import { emptyBlock } from '../standard-model/statistics-block.ts';
import { fitAlignment } from './align.ts';
import { alignmentCsv } from './alignment.fixture.ts';
import { alignedScore, isReadableAlignment } from './alignment-artifact.ts';
import { backboneChances, backboneModel, eventSignals, SIGNALS } from './event-signals.ts';

const fitted = (content: string, subject: AlignmentTarget = 'purchase') =>
  fitAlignment(
    {
      subject,
      content,
      config: { origin: 'live', horizon: 30, ruleVersion: null, definition: null },
      uploadedAt: '2026-03-02T10:00:00.000Z',
      base: null,
    },
    () => undefined,
  );

interface Gates {
  readonly evaluation: { readonly gates: readonly { readonly name: string; readonly passed: boolean }[] };
}
const gatesOf = (reportJson: string) => (JSON.parse(reportJson) as Gates).evaluation.gates;

describe('samples whose past says something', () => {
  const content = alignmentCsv();
  const outcome = fitted(content);

  test('pass every gate, with hashes of what is stored', () => {
    expect(gatesOf(outcome.reportJson).filter(({ passed }) => !passed)).toEqual([]);
    expect(outcome).toMatchObject({ passed: true, sampleCount: 900 });
    expect(outcome.fingerprint).toBe(sha256Hex(outcome.artifactJson));
    expect(outcome.reportHash).toBe(sha256Hex(outcome.reportJson));
    expect(canonicalJson(JSON.parse(outcome.artifactJson))).toBe(outcome.artifactJson);
  });

  test('give the same bits again', () => {
    const { fingerprint, reportHash } = fitted(content);
    expect({ fingerprint, reportHash }).toEqual({
      fingerprint: outcome.fingerprint,
      reportHash: outcome.reportHash,
    });
  });

  test.each(['purchase', 'churn', 'abandonment'] as const)('shuffled, they never pass: %s', (target) => {
    expect(fitted(permutedTargets(content, 5), target).passed).toBe(false);
  });

  test('score a usual member, and refuse an unusual or an incomplete one', () => {
    const signals = outcome.artifact['signals'] as string[];
    const { distribution } = JSON.parse(outcome.artifactJson) as { distribution: { means: string[] } };
    const usual = Object.fromEntries(signals.map((name, place) => [name, Number(distribution.means[place])]));
    expect(alignedScore(outcome.artifact, usual)).toEqual({ score: expect.any(Number), unusual: [] });
    const far = { ...usual, [signals[0]!]: 1_000 };
    expect(alignedScore(outcome.artifact, far)).toEqual({ score: null, unusual: [signals[0]] });
    expect(alignedScore(outcome.artifact, {})).toEqual({ score: null, unusual: signals });
  });

  test('give a head over std-1, and one over another version is not applied', () => {
    expect(outcome.artifact).toMatchObject({ standardModel: { version: 'std-1' } });
    expect(isReadableAlignment(outcome.artifact)).toBe(true);
    const { parametersSha256 } = standardModels['std-2'];
    for (const standardModel of [
      { version: 'std-2', parametersSha256 },
      { ...backboneModel, parametersSha256 },
    ])
      expect(isReadableAlignment({ ...outcome.artifact, standardModel })).toBe(false);
  });

  test('are judged by their latest dates, too, where those span two horizons', () => {
    const start = Date.parse('2025-09-01T00:00:00Z');
    const spread = alignmentCsv(1_000, {}, { asOf: (row) => start + Math.floor(row / 10) * DAY_MS });
    const names = gatesOf(fitted(spread).reportJson).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['latest_auc', 'latest_log_loss_gain_bound', 'latest_ece']));
    expect(gatesOf(outcome.reportJson).some(({ name }) => name.startsWith('latest'))).toBe(false);
  });
});

describe('signals', () => {
  const asOf = Date.parse('2026-01-01T00:00:00Z');
  const buy = (days: number) => ({ ms: asOf - days * DAY_MS, type: 'buy' as const });

  test('start with the log-odds of the standard model', () => {
    const block = emptyBlock(1);
    const day = asOf / DAY_MS;
    [block.purchaseDays[0], block.firstDay[0], block.lastDay[0]] = [3, day - 100, day - 20];
    const purchase = backboneChances(block, { ms: asOf, day }, 30);
    const sequence = { events: [buy(100), buy(50), buy(20)], asOf };
    const [bought, churned] = (['purchase', 'churn'] as const).map((target) =>
      eventSignals([sequence], target, 30),
    );
    expect(bought!.standard[0]).toBe(purchase[0]);
    expect(churned!.standard[0]).toBeCloseTo(1 - purchase[0]!, 15);
    expect(bought!.rows.values[0]).toBeCloseTo(Math.log(purchase[0]! / (1 - purchase[0]!)), 12);
    expect(bought!.rows.values).toHaveLength(SIGNALS.length);
  });

  test('of less than 28 days have a rate of their own, and are finite without a purchase', () => {
    const view = { ms: asOf - 10 * DAY_MS, type: 'pv' as const };
    const { rows } = eventSignals(
      [
        { events: [view, view, buy(5)], asOf },
        { events: [view], asOf },
      ],
      'purchase',
      3,
    );
    expect(rows.values[1]).toBeCloseTo(Math.log(1 / (12 + 10)), 12);
    expect([...rows.values].every(Number.isFinite)).toBe(true);
  });
});
