import { AppError } from '@loyalty/platform/base/errors';
import { type FeatureEncoder, rowAt } from '../estimators/feature-encoder.ts';
import { type BoundedFigure, type Gate, gate } from '../estimators/gates.ts';
import type { FeatureLeak } from '../estimators/leakage.ts';
import type { OuterSplit } from '../estimators/outer-split.ts';
import type { Samples } from '../estimators/samples.ts';
import type { SampleIssue } from '../estimators/training-request.ts';
import type { FeatureRows } from '../numerics/logistic.ts';
import type { CalibrationBin } from '../numerics/metrics.ts';
import type { LearnedModel, TrainedModel } from './trained-model.ts';

/** The input of a training. */
export interface TrainingRun {
  readonly samples: Samples;
  readonly split: OuterSplit;
  readonly encoder: FeatureEncoder;
  /** All samples, encoded. */
  readonly rows: FeatureRows;
  readonly seed: number;
  /** The model that an incremental version continues, if its features are the same. */
  readonly base: TrainedModel | null;
  /** The held-out rows as the base encodes them; null without a base. */
  readonly baseRows: FeatureRows | null;
  /** Labels of 0 and 1; null for items and baskets. */
  readonly labels: Uint8Array | null;
  /** @param done - share of fitting and evaluation, from 0 to 1 */
  readonly onProgress: (step: string, done: number) => void;
}

/** One of the compared learners. */
export interface LearnerCandidate {
  readonly learner: LearnedModel['learner'];
  /** Mean log-loss of a row outside of inner fits, in nats. */
  readonly logLoss: number;
  readonly lambda: number | null;
  readonly trees: number | null;
}

/** The result of a fit. */
export interface FittedLearner {
  /** Fitted to all training samples. */
  readonly model: LearnedModel;
  /** For each fold of the split the same learner, fitted without the fold's entities. */
  readonly foldModels: readonly LearnedModel[];
  readonly candidates: readonly LearnerCandidate[];
  /** Weights of standardised features, or shares of the gains of trees, by names of encoded columns. */
  readonly importance: readonly { readonly name: string; readonly value: number }[];
  readonly baseRate: number | null;
  readonly deciles: readonly number[];
}

/** The held-out figures of a model. */
export interface HeldOutFigures {
  readonly metrics: Readonly<Record<string, BoundedFigure>>;
  readonly baseline: Readonly<Record<string, number | null>>;
  readonly calibration: readonly CalibrationBin[];
  readonly slices: readonly ReportSlice[];
  readonly gates: readonly Gate[];
  /** The increase of the AUC if entities are not separated; null if it is not defined. */
  readonly entityJump: number | null;
}

/** Figures of a part of the held-out rows. */
export interface ReportSlice {
  readonly by: string;
  readonly name: string;
  readonly rows: number;
  readonly figures: Readonly<Record<string, number | null>>;
}

/** The parts of a training that differ between tasks. */
export interface TaskTraining {
  readonly fit: (run: TrainingRun) => FittedLearner;
  readonly evaluate: (
    run: TrainingRun,
    fitted: FittedLearner,
    leaks: readonly FeatureLeak[],
  ) => HeldOutFigures;
}

/** Fails the job: the file has changed, or was stored without a check. */
export const samplesInvalid = (issues: readonly SampleIssue[]): AppError => {
  const [{ row, column, message } = { row: 0, column: '', message: 'no samples' }] = issues;
  return new AppError('BAD_USER_INPUT', 'SAMPLES_INVALID', `Row ${row}, column ${column}: ${message}.`);
};

/** Fails the job: the training samples do not suffice for a model. */
export const tooFewSamples = (message: string): AppError =>
  new AppError('BAD_USER_INPUT', 'TOO_FEW_SAMPLES', message);

/**
 * Returns the predictions for the held-out samples, in their order, each by the model that has not seen its
 * entity.
 */
export function crossFitted<Value>(
  { split, rows }: TrainingRun,
  models: readonly LearnedModel[],
  predict: (model: LearnedModel, row: Float64Array) => Value,
): Value[] {
  const predicted = new Map<number, Value>();
  split.folds.forEach(({ test }, fold) => {
    for (const row of test) predicted.set(row, predict(models[fold]!, rowAt(rows, row)));
  });
  return Array.from(split.test, (row) => predicted.get(row)!);
}

/**
 * Divides the held-out rows by the month of their date and by the number of samples of their entity.
 *
 * @param figuresOf - takes indexes within the held-out rows
 */
export function reportSlices(
  { samples, split: { test } }: TrainingRun,
  figuresOf: (places: readonly number[]) => ReportSlice['figures'],
): ReportSlice[] {
  const counts = new Map<string, number>();
  for (const entity of samples.entities) counts.set(entity, (counts.get(entity) ?? 0) + 1);
  const keys: Readonly<Record<string, (row: number) => string>> = {
    as_of: (row) => new Date(samples.asOf[row]!).toISOString().slice(0, 7),
    samples_of_entity: (row) => sizeName(counts.get(samples.entities[row]!)!),
  };
  return Object.entries(keys).flatMap(([by, keyOf]) => {
    const places = Map.groupBy(test.keys(), (place) => keyOf(test[place]!));
    return [...places]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, own]) => ({ by, name, rows: own.length, figures: figuresOf(own) }));
  });
}

function sizeName(samples: number): string {
  if (samples === 1) return '1';
  return samples < 5 ? '2 to 4' : '5 or more';
}

const SAMPLES_MIN = 500;

const ENTITIES_MIN = 300;

const HELD_OUT_MIN = 60;

const KEYS_MIN = 2;

const LOSS_ABOVE_BASE_MAX = 0.01;

/** Returns the gates for the numbers of samples of items and baskets. */
export const keySizeGates = ({ samples, split }: TrainingRun, keys: number): Gate[] => [
  gate('samples', samples.ids.length, 'at least', SAMPLES_MIN),
  gate('entities', new Set(samples.entities).size, 'at least', ENTITIES_MIN),
  gate('held_out_samples', split.test.length, 'at least', HELD_OUT_MIN),
  gate('keys', keys, 'at least', KEYS_MIN),
];

/**
 * The gate that an incremental version must not be worse than its base on the same held-out samples.
 *
 * @param lossOf - the loss of the base; null if it is of another kind
 */
export function baseGate(
  { base }: TrainingRun,
  loss: number,
  lossOf: (model: LearnedModel) => number | null,
): Gate[] {
  const ofBase = base ? lossOf(base.model) : null;
  return ofBase === null ? [] : [gate('log_loss_above_base', loss - ofBase, 'at most', LOSS_ABOVE_BASE_MAX)];
}
