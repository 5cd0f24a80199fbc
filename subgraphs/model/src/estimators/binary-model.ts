import { z } from 'zod';
import { type FeatureRows, fitLogistic, predictLogistic } from '../numerics/logistic.ts';
import { fitBoostedTrees, predictBoostedTrees } from './boosted-trees.ts';

const number = z.coerce.number();
const numbers = z.array(number);

/** A stored logistic regression. */
export const logisticFields = z.object({
  means: numbers,
  scales: numbers,
  weights: numbers,
  intercept: number,
});

const tree = z.object({
  features: numbers,
  thresholds: numbers,
  lefts: numbers,
  rights: numbers,
  values: numbers,
});

/** The stored binary learners: each predicts the chance of the label 1. */
export const binaryLearners = [
  logisticFields.extend({ learner: z.literal('logistic'), lambda: number }),
  z.object({ learner: z.literal('boosted_trees'), intercept: number, trees: z.array(tree), gains: numbers }),
] as const;

export type BinaryModel = z.infer<(typeof binaryLearners)[number]>;

/** The penalty of a logistic regression or the number of boosted trees; the other one is null. */
export type BinarySetting =
  | { readonly lambda: number; readonly trees: null }
  | { readonly lambda: null; readonly trees: number };

/** Fits the learner of a setting to labels of 0 and 1; both must occur. */
export const fitBinary = (rows: FeatureRows, labels: Uint8Array, setting: BinarySetting): BinaryModel =>
  setting.trees === null
    ? {
        learner: 'logistic',
        lambda: setting.lambda,
        ...copyOf(fitLogistic(rows, labels, setting.lambda)),
      }
    : { learner: 'boosted_trees', ...copyOf(fitBoostedTrees(rows, labels, setting.trees)) };

/** Plain mutable lists, as the type of a stored model requires. */
const copyOf = <Plain>(model: Plain) => structuredClone(model) as Writable<Plain>;
type Writable<Plain> = Plain extends readonly (infer Item)[]
  ? Writable<Item>[]
  : { -readonly [Key in keyof Plain]: Plain[Key] extends object ? Writable<Plain[Key]> : Plain[Key] };

/** Returns the chance of the label 1 for an encoded row. */
export const binaryChance = (model: BinaryModel, row: ArrayLike<number>): number =>
  model.learner === 'logistic' ? predictLogistic(model, row) : predictBoostedTrees(model, row);

/** The importance of each column: weights of a logistic regression, shares of the gains of trees. */
export function columnImportance(model: BinaryModel): readonly number[] {
  if (model.learner === 'logistic') return model.weights;
  const total = model.gains.reduce((sum, gain) => sum + gain, 0) || 1;
  return model.gains.map((gain) => gain / total);
}
