import { describe, expect, test } from '@jest/globals';
import { canonicalJson, sha256Hex } from '../estimators/canonical-json.ts';
import { permutedTargets } from '../estimators/permuted-targets.ts';
import { readSamples } from '../estimators/samples.ts';
import type { TrainingTask } from '../estimators/training-request.ts';
import { distantLabel, leaks, predictable, requestOf, samplesCsv, testConfig } from './samples.fixture.ts';
import { trainSamples } from './train-samples.ts';
import { checkSamples, inferFeatures, trainVersion } from './trainer.ts';

const ignore = () => undefined;
const tasks: readonly TrainingTask[] = ['return', 'tier', 'item', 'basket'];

interface ReadReport {
  readonly learner: { readonly name: string };
  readonly samples: Readonly<Record<string, unknown>>;
  readonly evaluation: {
    readonly passed: boolean;
    readonly gates: readonly { readonly name: string; readonly passed: boolean }[];
    readonly metrics: Readonly<Record<string, { readonly value: string; readonly low: string }>>;
    readonly warnings: readonly { readonly name: string; readonly passed: boolean }[];
  };
  readonly limitations: readonly string[];
}

const trained = (task: TrainingTask, content: string, given: Parameters<typeof requestOf>[2] = {}) => {
  const outcome = trainSamples(requestOf(task, content, given), ignore);
  const report = JSON.parse(outcome.reportJson) as ReadReport;
  const failed = report.evaluation.gates.filter(({ passed }) => !passed).map(({ name }) => name);
  return { ...outcome, report, failed };
};

describe.each(tasks)('the task %s', (task) => {
  const content = predictable(task);

  test('passes every gate where features say something about the target', () => {
    const { passed, failed, report, sampleCount, ...outcome } = trained(task, content);
    expect(failed).toEqual([]);
    expect(passed).toBe(true);
    expect(report.evaluation.passed).toBe(true);
    expect(report.evaluation.warnings).toEqual([]);
    expect(sampleCount).toBe(1_000);
    expect(outcome.fingerprint).toBe(sha256Hex(outcome.artifactJson));
    expect(outcome.reportHash).toBe(sha256Hex(outcome.reportJson));
    expect(canonicalJson(outcome.artifact)).toBe(outcome.artifactJson);
    expect(canonicalJson(report)).toBe(outcome.reportJson);
  });

  test.each([1, 2])('does not pass with permuted targets (%i)', (seed) => {
    const { passed, failed } = trained(task, permutedTargets(content, seed));
    expect(passed).toBe(false);
    expect(failed).toContain('log_loss_gain_bound');
  });
});

test.each(Object.entries(leaks))(
  '%s are found by the model’s own figures, though every gate is passed',
  (_, content) => {
    const { failed, report } = trained('return', content);
    expect(failed).toEqual([]);
    expect(Number(report.evaluation.metrics['auc']!.value)).toBeGreaterThan(0.97);
    expect(report.evaluation.warnings).toContainEqual(
      expect.objectContaining({ name: 'held_out_auc', passed: false }),
    );
    expect(report.limitations.at(-1)).toMatch(/^TOO_GOOD: /);
  },
);

test.each(tasks)('features of the task %s as large as they may be give finite figures', (task) => {
  const extreme = predictable(task).replaceAll(
    /^(s-(\d+)-.*),([^,]+)$/gm,
    (_, cells: string, entity: string, value: string) =>
      `${cells},${Number(entity) % 7 === 0 ? `${value.startsWith('-') ? '-' : ''}1e100` : value}`,
  );
  expect(readSamples(task, testConfig, extreme, new Date('2026-06-01')).issues).toEqual([]);
  const { artifact, artifactJson, reportJson } = trained(task, extreme);
  expect(`${artifactJson}${reportJson}`).not.toMatch(/NaN|Infinity/);
  const far = { f_a: 1e308, f_b: -1e308, f_c: Number.MAX_VALUE, f_noise: 0 };
  expect(inferFeatures(artifact, far)).toMatchObject({ inDistribution: false, value: null });
});

describe('the same upload', () => {
  const content = predictable('return', { entities: 320 });

  test('gives the same bits in a thread and here, and progress from 0 to 1', async () => {
    const steps: number[] = [];
    const options = {
      signal: new AbortController().signal,
      onProgress: ({ done }: { done: number }) => steps.push(done),
    };
    const inThread = await trainVersion(requestOf('return', content), options);
    expect(inThread).toEqual(trainSamples(requestOf('return', content), ignore));
    expect(steps.at(0)).toBe(0);
    expect(steps.at(-1)).toBe(1);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });

  test('at another time has the same model and metrics, and another report', () => {
    const first = trained('return', content);
    const later = trained('return', content, { uploadedAt: '2026-07-01T00:00:00.000Z' });
    expect(later.fingerprint).toBe(first.fingerprint);
    expect(later.report.evaluation).toEqual(first.report.evaluation);
    expect(later.reportHash).not.toBe(first.reportHash);
  });
});

test('a training that is aborted ends long before it is done', async () => {
  const controller = new AbortController();
  const request = requestOf('basket', predictable('basket', { entities: 2_000, dates: 5 }));
  let reached = 0;
  const onProgress = ({ done }: { done: number }) => {
    reached = done;
    if (done > 0.05) controller.abort(new Error('cancelled'));
  };
  await expect(trainVersion(request, { signal: controller.signal, onProgress })).rejects.toThrow('cancelled');
  expect(reached).toBeGreaterThan(0.05);
  expect(reached).toBeLessThan(0.5);
});

test('samples that cannot be used are refused with their first issue, in a thread, too', async () => {
  const request = requestOf('return', 'sample_id,entity_id\n1,2\n');
  expect(checkSamples('return', request.config, request.content, new Date()).issues[0]).toEqual({
    row: 0,
    column: 'as_of',
    message: 'is missing',
  });
  const options = { signal: new AbortController().signal, onProgress: ignore };
  await expect(trainVersion(request, options)).rejects.toMatchObject({
    category: 'BAD_USER_INPUT',
    code: 'SAMPLES_INVALID',
    message: 'Row 0, column as_of: is missing.',
  });
});

test('a target of an alignment is checked by its own rules, and nothing else can be trained', () => {
  const { config } = requestOf('return', '');
  const [issue] = checkSamples('purchase', config, 'sample_id,entity_id\n1,2\n', new Date()).issues;
  expect(issue?.row).toBe(0);
  expect(() => checkSamples('weather' as TrainingTask, config, '', new Date())).toThrow('cannot be trained');
});

describe('learners', () => {
  test('trees are taken where no linear model finds what the features say', () => {
    const content = samplesCsv({ entities: 600, dates: 2, target: distantLabel });
    const { report, passed } = trained('return', content);
    expect(report.learner.name).toBe('boosted_trees');
    expect(passed).toBe(true);
    expect(Number(report.evaluation.metrics['auc']?.value)).toBeGreaterThan(0.72);
  });

  test('the logistic regression is taken where trees are no better', () => {
    expect(trained('return', predictable('return')).report.learner.name).toBe('logistic');
  });
});

describe('gates', () => {
  test('want as many samples and entities as the document says', () => {
    const { failed, passed } = trained('return', predictable('return', { entities: 240, dates: 2 }));
    expect(passed).toBe(false);
    expect(failed).toEqual(expect.arrayContaining(['samples', 'entities']));
  });

  test('of one date only say so', () => {
    const { report } = trained('return', predictable('return', { entities: 800, dates: 1 }));
    expect(report.limitations.join(' ')).toContain('SINGLE_WINDOW');
    expect(report.samples).toMatchObject({ held_out_from: null, rows: '800' });
  });

  test('compare an incremental version with the one that it continues, where features are the same', () => {
    const base = trained('return', predictable('return', { entities: 700 })).artifact;
    const again = trained('return', predictable('return', { seed: 2 }), { base });
    expect(again.report.evaluation.gates.map(({ name }) => name)).toContain('log_loss_above_base');
    expect(again.failed).toEqual([]);
    const renamed = predictable('return').replace('f_noise', 'f_other');
    const other = trained('return', renamed, { base });
    expect(other.report.evaluation.gates.map(({ name }) => name)).not.toContain('log_loss_above_base');
    expect(other.report.limitations.join(' ')).toContain('BASE_NOT_COMPARABLE');
  });
});

describe('inference', () => {
  const usual = { f_a: 1, f_b: -1, f_c: 0, f_noise: 0 };
  const { artifact } = trained('return', predictable('return'));

  test('gives a score, what follows from it and where it applies', () => {
    const high = inferFeatures(artifact, usual);
    expect(high).toMatchObject({ inDistribution: true, objective: 'return within 30 days' });
    // The true chance of the process is sigmoid(.8).
    expect(high.value).toBeGreaterThan(0.55);
    expect(high.value).toBeLessThan(0.8);
    expect(high.conclusions[0]).toContain('The score of a return within 30 days is 0.');
    expect(high.actions).toHaveLength(1);
    const low = inferFeatures(artifact, { ...usual, f_a: -1, f_b: 1 });
    expect(low.value).toBeLessThan(0.2);
    expect(low.actions).toEqual([]);
    expect(low.limits[0]).toContain('no calibrated probability');
  });

  test('reads an artifact from its stored text', () => {
    const stored = JSON.parse(canonicalJson(artifact)) as typeof artifact;
    expect(inferFeatures(stored, usual)).toEqual(inferFeatures(artifact, usual));
  });

  test('refuses a missing, an unknown and an infinite feature by its name', () => {
    const { f_c: _left, ...missing } = usual;
    expect(() => inferFeatures(artifact, missing)).toThrow('features.f_c is missing');
    expect(() => inferFeatures(artifact, { ...usual, f_d: 1 })).toThrow('features.f_d is no feature');
    expect(() => inferFeatures(artifact, { ...usual, f_c: Number.NaN })).toThrow(
      'features.f_c must be a finite',
    );
    expect(() => inferFeatures({ kind: 'TRAINING', subject: 'return' }, usual)).toThrow('cannot be read');
  });

  test('outside of the samples says so and nothing else', () => {
    expect(inferFeatures(artifact, { ...usual, f_b: 1_000 })).toEqual({
      inDistribution: false,
      limits: [expect.stringMatching(/^OUT_OF_DISTRIBUTION: f_b is not between -\d/)],
      objective: 'return within 30 days',
      value: null,
      conclusions: [],
      actions: [],
    });
  });

  test('of items recommends the likeliest ones, of baskets combinations', () => {
    const items = inferFeatures(trained('item', predictable('item')).artifact, usual);
    expect(items.actions.map((action) => /item-[012]/.test(action))).toEqual([true, true, true]);
    const baskets = inferFeatures(trained('basket', predictable('basket')).artifact, usual);
    expect(baskets.actions).toHaveLength(4);
    expect(baskets.actions[0]).toMatch(/^Offer item-[012], item-[012] together\.$/);
  });
});
