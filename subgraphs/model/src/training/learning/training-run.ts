import { AppError } from '@loyalty/platform/errors';
import type { FeatureRows } from '../../scoring/numerics/logistic.ts';
import type { FeatureLeak } from '../evaluation/leakage.ts';
import type { OuterSplit } from '../evaluation/outer-split.ts';
import { type FeatureEncoder, rowAt } from '../learners/feature-encoder.ts';
import type { BoundedFigure, Gate } from '../measures/gates.ts';
import type { CalibrationBin } from '../measures/metrics.ts';
import type { SampleIssue } from '../measures/training-request.ts';
import type { Samples } from '../samples/samples.ts';
import type { LearnedModel, TrainedModel } from './trained-model.ts';

/** What a learner is given. */
export interface TrainingRun {
  readonly samples: Samples;
  readonly split: OuterSplit;
  readonly encoder: FeatureEncoder;
  /** All samples, encoded. */
  readonly rows: FeatureRows;
  readonly seed: number;
  /** The model that an incremental version continues, where its features are the same. */
  readonly base: TrainedModel | null;
  /** The held-out side as the base encodes it; null where there is no base. */
  readonly baseRows: FeatureRows | null;
  /** Labels of 0 and 1; null for items and baskets. */
  readonly labels: Uint8Array | null;
  /** @param done - from 0 to 1, of fitting and evaluation */
  readonly onProgress: (step: string, done: number) => void;
}

/** One of the learners that were compared. */
export interface LearnerCandidate {
  readonly learner: LearnedModel['learner'];
  /** Of a row outside of inner fits, in nats. */
  readonly logLoss: number;
  readonly lambda: number | null;
  readonly trees: number | null;
}

/** What a fit came to. */
export interface FittedLearner {
  /** Fitted to all samples that may be fitted to. */
  readonly model: LearnedModel;
  /** For each fold of the split the same learner, fitted without its entities. */
  readonly foldModels: readonly LearnedModel[];
  readonly candidates: readonly LearnerCandidate[];
  /** Weights of standardised features, or the share of trees' gains, by names of encoded columns. */
  readonly importance: readonly { readonly name: string; readonly value: number }[];
  readonly baseRate: number | null;
  readonly deciles: readonly number[];
}

/** What the held-out side says about a model. */
export interface HeldOutFigures {
  readonly metrics: Readonly<Record<string, BoundedFigure>>;
  readonly baseline: Readonly<Record<string, number | null>>;
  readonly calibration: readonly CalibrationBin[];
  readonly slices: readonly ReportSlice[];
  readonly gates: readonly Gate[];
  /** The area under the curve more, where entities are not kept apart; null where it is not defined. */
  readonly entityJump: number | null;
}

/** Figures of some of the held-out rows. */
export interface ReportSlice {
  readonly by: string;
  readonly name: string;
  readonly rows: number;
  readonly figures: Readonly<Record<string, number | null>>;
}

/** What a task adds to a training. */
export interface TaskTraining {
  readonly fit: (run: TrainingRun) => FittedLearner;
  readonly evaluate: (
    run: TrainingRun,
    fitted: FittedLearner,
    leaks: readonly FeatureLeak[],
  ) => HeldOutFigures;
}

/** The job fails: the file has changed, or was stored without a check. */
export const samplesInvalid = (issues: readonly SampleIssue[]): AppError => {
  const [{ row, column, message } = { row: 0, column: '', message: 'no samples' }] = issues;
  return new AppError('BAD_USER_INPUT', 'SAMPLES_INVALID', `Row ${row}, column ${column}: ${message}.`);
};

/** The job fails: the side to fit to cannot carry a model. */
export const tooFewSamples = (message: string): AppError =>
  new AppError('BAD_USER_INPUT', 'TOO_FEW_SAMPLES', message);

/**
 * What each held-out sample is predicted to be by the model that has not seen its entity, in the order of the
 * held-out side.
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
