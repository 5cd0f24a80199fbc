import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { seededRandom } from '../numerics/seeded-random.ts';
import { linearLabel, predictable, testConfig } from '../pipelines/samples.fixture.ts';
import { fitDistribution, unusualFeatures } from './feature-distribution.ts';
import { featureLeaks, identicalRows, leakageGates } from './leakage.ts';
import { outerSplit } from './outer-split.ts';
import { readSamples } from './samples.ts';

const now = new Date('2027-01-01T00:00:00Z');
const samplesOf = (content: string) => readSamples('return', testConfig, content, now).samples!;

describe('the split', () => {
  test('holds out the latest quarter of dates, predicted by models of other entities and past labels', () => {
    const samples = samplesOf(predictable('return', { entities: 250, dates: 8 }));
    const split = outerSplit(samples);
    const testFrom = Date.parse('2025-01-01T00:00:00Z') + 6 * 30 * DAY_MS;
    expect(split.testFrom).toBe(testFrom);
    expect([split.train.length, split.test.length, split.dropped]).toEqual([6 * 250, 2 * 250, 0]);
    for (const { train, test: heldOut } of split.folds) {
      expect(train.every((row) => samples.labelEnd[row]! <= testFrom)).toBe(true);
      expect(heldOut.every((row) => samples.asOf[row]! >= testFrom)).toBe(true);
      const seen = new Set(Array.from(train, (row) => samples.entities[row]));
      expect(Array.from(heldOut, (row) => samples.entities[row]).some((each) => seen.has(each))).toBe(false);
    }
    expect(split.folds.flatMap(({ test: rows }) => [...rows]).sort((a, b) => a - b)).toEqual([...split.test]);
  });

  test('leaves out labels that reach into the held-out dates', () => {
    const daily = predictable('return', { entities: 250, dates: 8 }).replaceAll(
      /,(2025-[^,]+),(2025-[^,]+),/g,
      (_all, asOf: string) => {
        // 10 days apart, each label 30 days long: two dates before the held-out ones are left out.
        const day = Date.parse('2025-01-01T00:00:00Z');
        const from = day + (Date.parse(asOf) - day) / 3;
        return `,${new Date(from).toISOString()},${new Date(from + 30 * DAY_MS).toISOString()},`;
      },
    );
    const split = outerSplit(samplesOf(daily));
    expect([split.train.length, split.test.length, split.dropped]).toEqual([4 * 250, 2 * 250, 2 * 250]);
  });

  test('of one date holds out entities alone', () => {
    const split = outerSplit(samplesOf(predictable('return', { entities: 400, dates: 1 })));
    expect(split).toMatchObject({ testFrom: null, dropped: 0 });
    expect([split.train.length, split.test.length]).toEqual([400, 400]);
  });
});

describe('features', () => {
  const random = seededRandom(9);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const count = 4_000;
  const values = new Float64Array(count * 3);
  for (let row = 0; row < count; row += 1) {
    const first = normal();
    values.set([100 + 10 * first, 50 + 5 * (0.95 * first + 0.3 * normal()), row % 2], row * 3);
  }
  const distribution = fitDistribution({ count, width: 3, values });

  test('of the samples are usual, one in some hundred apart', () => {
    const flagged = Array.from({ length: count }, (_, row) => row).filter(
      (row) => unusualFeatures(distribution, values.subarray(row * 3, row * 3 + 3)).length > 0,
    );
    expect(flagged.length).toBeLessThan(0.01 * count);
  });

  test('out of their range are named, those that do not go together are all named', () => {
    expect(unusualFeatures(distribution, [1_000, 50, 0])).toEqual([0]);
    expect(unusualFeatures(distribution, [100, 50, 2])).toEqual([2]);
    expect(unusualFeatures(distribution, [125, 37.5, 0])).toEqual([0, 1, 2]);
    expect(unusualFeatures(distribution, [110, 54.75, 0])).toEqual([]);
  });
});

describe('a leak', () => {
  const gatesOf = (content: string) => {
    const samples = samplesOf(content);
    const labels = Uint8Array.from(samples.targets, Number);
    const leaks = featureLeaks(samples, samples.features, labels);
    return leakageGates(samples, outerSplit(samples), leaks).filter(({ passed }) => !passed);
  };

  test('is found where a feature is the target, or ranks as it does', () => {
    const good = predictable('return', { entities: 300, dates: 4 });
    expect(gatesOf(good)).toEqual([]);
    const equal = good.replace(/^(s-.*,)([01]),([^,]+)(,.*)$/gm, '$1$2,$2$4');
    expect(gatesOf(equal).map(({ name }) => name)).toEqual(['leak_feature_auc', 'leak_feature_correlation']);
    const ranked = good.replace(/^(s-.*,)([01]),([^,]+)(,.*)$/gm, (_all, start, label, value, end) => {
      return `${start}${label},${Number(value) / 100 - 10 * Number(label)}${end}`;
    });
    expect(gatesOf(ranked).map(({ name }) => name)).toContain('leak_feature_auc');
  });

  test('of a feature that stands for the item is found by its purity', () => {
    const items = predictable('item', { entities: 300, dates: 2 });
    const coded = items.replace(/^(s-.*,)item-(\d),([^,]+)(,.*)$/gm, '$1item-$2,$2$4');
    const worst = (content: string) => {
      const samples = readSamples('item', testConfig, content, now).samples!;
      return Math.max(...featureLeaks(samples, samples.features, null).map(({ purity }) => purity ?? 0));
    };
    expect(worst(coded)).toBe(1);
    expect(worst(items)).toBe(0);
  });

  test('of rows that are on both sides is counted', () => {
    const coarse = predictable('return', {
      entities: 250,
      dates: 4,
      target: (features, random) => linearLabel(features, random),
    }).replaceAll(/,(-?)\d+\.\d{4}/g, ',$11');
    const samples = samplesOf(coarse);
    const split = outerSplit(samples);
    expect(identicalRows(samples, split)).toBeGreaterThan(0.9 * split.test.length);
  });
});
