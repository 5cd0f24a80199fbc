import type { FeatureRows } from '../numerics/logistic.ts';
import { auc } from '../numerics/metrics.ts';
import { rowAt } from './feature-encoder.ts';
import { type Gate, gate } from './gates.ts';
import type { OuterSplit } from './outer-split.ts';
import type { Samples } from './samples.ts';

/** The association of a single feature with the target. */
export interface FeatureLeak {
  readonly name: string;
  /** AUC of the better direction, .5 to 1; null for targets of many keys. */
  readonly auc: number | null;
  /** Absolute correlation with the target; null for targets of many keys. */
  readonly correlation: number | null;
  /**
   * Among rows with the same value of the feature, the share of the most frequent target; null for targets of
   * 0 and 1, which the other two figures measure.
   */
  readonly purity: number | null;
}

const AUC_MAX = 0.97;
const CORRELATION_MAX = 0.98;
const PURITY_MAX = 0.98;
/** Values with fewer rows do not count for purity. */
const ROWS_OF_A_VALUE_MIN = 5;

/** Compares each feature of all samples with the target; the features have no empty cells. */
export function featureLeaks(
  samples: Samples,
  features: FeatureRows,
  labels: Uint8Array | null,
): FeatureLeak[] {
  return samples.featureNames.map((name, column) => {
    const values = Float64Array.from({ length: features.count }, (_, row) => rowAt(features, row)[column]!);
    const area = labels ? auc(values, labels) : null;
    return {
      name,
      auc: area === null ? null : Math.max(area, 1 - area),
      correlation: labels ? Math.abs(correlation(values, labels)) : null,
      purity: labels ? null : purityOf(values, samples.targets),
    };
  });
}

function correlation(values: Float64Array, labels: Uint8Array): number {
  const mean = (numbers: ArrayLike<number>) =>
    Array.from(numbers).reduce((a, b) => a + b, 0) / numbers.length;
  const [meanValue, meanLabel] = [mean(values), mean(labels)];
  let [both, ofValues, ofLabels] = [0, 0, 0];
  for (let row = 0; row < values.length; row += 1) {
    const [value, label] = [values[row]! - meanValue, labels[row]! - meanLabel];
    both += value * label;
    ofValues += value * value;
    ofLabels += label * label;
  }
  return ofValues === 0 || ofLabels === 0 ? 0 : both / Math.sqrt(ofValues * ofLabels);
}

/** 0 if most values are too rare, or all values have the same most frequent target. */
function purityOf(values: Float64Array, targets: readonly string[]): number {
  const byValue = new Map<number, Map<string, number>>();
  values.forEach((value, row) => {
    const counts = byValue.get(value) ?? new Map<string, number>();
    byValue.set(value, counts.set(targets[row]!, (counts.get(targets[row]!) ?? 0) + 1));
  });
  let [pure, rows, targetsFound] = [0, 0, new Set<string>()];
  for (const counts of byValue.values()) {
    const [target, most] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best));
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (total < ROWS_OF_A_VALUE_MIN) continue;
    [pure, rows] = [pure + most, rows + total];
    targetsFound = targetsFound.add(target);
  }
  const isMeaningful = targetsFound.size > 1 && rows * 2 > values.length;
  return isMeaningful ? pure / rows : 0;
}

/**
 * Counts held-out rows with the same features and target as a row that the model of their fold was fitted to.
 */
export function identicalRows(samples: Samples, { folds }: OuterSplit): number {
  const textOf = (row: number) => `${samples.targets[row]}|${rowAt(samples.features, row).join('|')}`;
  return sharedTexts(folds, textOf);
}

/** Counts held-out rows whose text occurs among the rows that the model of their fold was fitted to. */
const sharedTexts = (folds: OuterSplit['folds'], textOf: (row: number) => string): number =>
  folds.reduce((shared, { train, test }) => {
    const fitted = new Set(Array.from(train, textOf));
    return shared + test.reduce((count, row) => count + (fitted.has(textOf(row)) ? 1 : 0), 0);
  }, 0);

/** Returns the conditions under which the held-out figures are valid for new members. */
export function leakageGates(samples: Samples, split: OuterSplit, leaks: readonly FeatureLeak[]): Gate[] {
  const greatest = (of: (leak: FeatureLeak) => number | null) =>
    leaks.reduce((most, leak) => Math.max(most, of(leak) ?? 0), 0);
  return [
    gate(
      'leak_feature_auc',
      greatest((leak) => leak.auc),
      'at most',
      AUC_MAX,
    ),
    gate(
      'leak_feature_correlation',
      greatest((leak) => leak.correlation),
      'at most',
      CORRELATION_MAX,
    ),
    gate(
      'leak_feature_equals_target',
      greatest((leak) => leak.purity),
      'at most',
      PURITY_MAX,
    ),
    gate(
      'leak_shared_entities',
      sharedTexts(split.folds, (row) => samples.entities[row]!),
      'at most',
      0,
    ),
  ];
}
