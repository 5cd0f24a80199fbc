import { type BinarySetting, binaryChance, columnImportance, fitBinary } from '../estimators/binary-model.ts';
import { chooseTreeCount } from '../estimators/boosted-trees.ts';
import { encodedNames, rowAt, rowsOf } from '../estimators/feature-encoder.ts';
import { boundedFigure, finite, type Gate, gate } from '../estimators/gates.ts';
import { clusteredMean, labeledFolds, pick } from '../estimators/inner-folds.ts';
import type { FeatureLeak } from '../estimators/leakage.ts';
import { chooseLambda, type LabeledSide } from '../estimators/logistic-choice.ts';
import { boundOf, type EntityBootstrap, entityBootstrap, quantileOf } from '../numerics/bootstrap.ts';
import type { FeatureRows } from '../numerics/logistic.ts';
import * as metrics from '../numerics/metrics.ts';
import type { LearnedModel } from './trained-model.ts';
import {
  baseGate,
  crossFitted,
  type FittedLearner,
  type HeldOutFigures,
  type LearnerCandidate,
  reportSlices,
  type TaskTraining,
  type TrainingRun,
  tooFewSamples,
} from './training-run.ts';

const LABELS_MIN = 20;
const SAMPLES_MIN = 500;
const ENTITIES_MIN = 300;
const OF_EACH_LABEL_MIN = 100;
const OF_EACH_HELD_OUT_MIN = 30;
const AUC_MIN = 0.6;
const ECE_MAX = 0.08;
const PRECISION_RATIO_MIN = 1.2;
/** Quantile of a one-sided 97.5% bound. */
const LOWER = 0.025;

/** The tasks return and tier: chances of the label 1. */
export const binaryTraining: TaskTraining = { fit, evaluate };

const sideOf = ({ rows, labels, samples }: TrainingRun, places: Uint32Array): LabeledSide => ({
  rows: rowsOf(rows, places),
  labels: Uint8Array.from(places, (row) => labels![row]!),
  entities: pick(samples.entities, places),
});

/** Fits both learners; the logistic regression is chosen unless trees are better by a standard error. */
function fit(run: TrainingRun): FittedLearner {
  const { rows, labels, entities } = sideOf(run, run.split.train);
  const positives = metrics.sumOf(labels);
  if (Math.min(positives, labels.length - positives) < LABELS_MIN)
    throw tooFewSamples(`The samples to fit to have fewer than ${LABELS_MIN} of a label.`);
  const folds = labeledFolds(labels, entities, run.seed);
  run.onProgress('Choosing the penalty of the logistic regression', 0.05);
  const lambda = chooseLambda({ rows, labels, entities }, folds);
  run.onProgress('Choosing the number of boosted trees', 0.25);
  const trees = chooseTreeCount(rows, labels, folds);
  run.onProgress('Fitting the model', 0.6);
  const { mean, error } = clusteredMean(
    lambda.losses.map((loss, row) => loss - trees.losses[row]!),
    entities,
  );
  const areTreesBetter = mean > error && trees.setting > 0;
  const settings = {
    logistic: { lambda: lambda.setting, trees: null },
    trees: { lambda: null, trees: trees.setting },
  } as const;
  const setting = areTreesBetter ? settings.trees : settings.logistic;
  const fitTo = (side: LabeledSide): LearnedModel => fitBinary(side.rows, side.labels, setting);
  const model = fitTo({ rows, labels, entities });
  const chances = chancesOf(model, rows).sort();
  return {
    model,
    foldModels: run.split.folds.map(({ train }) => fitTo(sideOf(run, train))),
    candidates: [
      candidate('logistic', lambda.losses, settings.logistic),
      candidate('boosted_trees', trees.losses, settings.trees),
    ],
    importance: importanceOf(run, model),
    baseRate: positives / labels.length,
    deciles: Array.from({ length: 9 }, (_, place) => quantileOf(chances, (place + 1) / 10)),
  };
}

const candidate = (
  learner: LearnerCandidate['learner'],
  losses: Float64Array,
  settings: BinarySetting,
): LearnerCandidate => ({ learner, logLoss: metrics.sumOf(losses) / losses.length, ...settings });

function importanceOf({ encoder, samples }: TrainingRun, model: LearnedModel): FittedLearner['importance'] {
  const names = encodedNames(encoder, samples.featureNames);
  if (model.learner !== 'logistic' && model.learner !== 'boosted_trees') return [];
  const values = columnImportance(model);
  return names.map((name, place) => ({ name, value: values[place]! }));
}

const chanceOf = (model: LearnedModel, row: Float64Array): number =>
  model.learner === 'logistic' || model.learner === 'boosted_trees' ? binaryChance(model, row) : Number.NaN;

const chancesOf = (model: LearnedModel, rows: FeatureRows): Float64Array =>
  Float64Array.from({ length: rows.count }, (_, row) => chanceOf(model, rowAt(rows, row)));

interface HeldOut extends LabeledSide {
  readonly chances: Float64Array;
  readonly bootstrap: EntityBootstrap;
  /** Share of the label 1 in the training samples. */
  readonly baseRate: number;
}

function evaluate(run: TrainingRun, fitted: FittedLearner, leaks: readonly FeatureLeak[]): HeldOutFigures {
  const side = sideOf(run, run.split.test);
  const heldOut: HeldOut = {
    ...side,
    chances: Float64Array.from(crossFitted(run, fitted.foldModels, chanceOf)),
    bootstrap: entityBootstrap(side.entities, run.seed),
    baseRate: fitted.baseRate!,
  };
  run.onProgress('Measuring the held-out side', 0.75);
  const { figures, gates, ece } = measured(heldOut);
  run.onProgress('Checking for leaks', 0.9);
  const { chances, labels, baseRate } = heldOut;
  return {
    metrics: figures,
    baseline: {
      base_rate: baseRate,
      held_out_rate: finite(metrics.sumOf(labels) / labels.length),
      log_loss: finite(metrics.logLoss(new Float64Array(labels.length).fill(baseRate), labels)),
      best_feature_auc: leaks.reduce<number | null>((most, leak) => Math.max(most ?? 0, leak.auc ?? 0), null),
    },
    calibration: metrics.calibrationBins(chances, labels),
    slices: reportSlices(run, (places) => ({
      positives: metrics.sumOf(pick(labels, places)),
      auc: finite(metrics.auc(pick(chances, places), pick(labels, places))),
      log_loss: finite(metrics.logLoss(pick(chances, places), pick(labels, places))),
    })),
    gates: [
      ...sizeGates(run, labels),
      ...gates,
      gate('ece', ece, 'at most', ECE_MAX),
      ...baseGate(run, metrics.logLoss(chances, labels), (base) =>
        metrics.logLoss(chancesOf(base, run.baseRows!), labels),
      ),
    ],
    entityJump: entityJump(run, fitted.model, heldOut),
  };
}

function sizeGates({ samples, labels }: TrainingRun, heldOut: Uint8Array): Gate[] {
  const positives = metrics.sumOf(labels!);
  const heldOutPositives = metrics.sumOf(heldOut);
  return [
    gate('samples', samples.ids.length, 'at least', SAMPLES_MIN),
    gate('entities', new Set(samples.entities).size, 'at least', ENTITIES_MIN),
    gate('positives', positives, 'at least', OF_EACH_LABEL_MIN),
    gate('negatives', labels!.length - positives, 'at least', OF_EACH_LABEL_MIN),
    gate('held_out_positives', heldOutPositives, 'at least', OF_EACH_HELD_OUT_MIN),
    gate('held_out_negatives', heldOut.length - heldOutPositives, 'at least', OF_EACH_HELD_OUT_MIN),
  ];
}

function measured({ chances, labels, bootstrap, baseRate }: HeldOut) {
  const losses = chances.map((chance, row) => metrics.lossOfChance(chance, labels[row]!));
  const gains = losses.map((loss, row) => metrics.lossOfChance(baseRate, labels[row]!) - loss);
  const squares = chances.map((chance, row) => (chance - labels[row]!) * (chance - labels[row]!));
  const auc = bootstrap(metrics.aucOf(chances, labels));
  const gain = bootstrap((weights) => metrics.weightedMean(gains, weights));
  const precision = bootstrap(rarerPrecision(chances, labels));
  const ece = metrics.expectedCalibrationError(chances, labels);
  const figures = {
    auc: boundedFigure(auc),
    log_loss: boundedFigure(bootstrap((weights) => metrics.weightedMean(losses, weights))),
    log_loss_gain: boundedFigure(gain),
    brier: boundedFigure(bootstrap((weights) => metrics.weightedMean(squares, weights))),
    average_precision: boundedFigure(bootstrap(metrics.averagePrecisionOf(chances, labels))),
    precision_ratio: boundedFigure(precision),
    ece: { value: finite(ece), low: null, high: null },
  };
  const gates = [
    gate('auc', auc.value, 'at least', AUC_MIN),
    gate('auc_bound', boundOf(auc, LOWER), 'above', 0.5),
    gate('log_loss_gain_bound', boundOf(gain, LOWER), 'above', 0),
    gate('precision_ratio', precision.value, 'above', PRECISION_RATIO_MIN),
  ];
  return { figures, gates, ece };
}

/** Average precision of the rarer label, as a multiple of its share. */
function rarerPrecision(chances: Float64Array, labels: Uint8Array): metrics.WeightedFigure {
  const isRare = metrics.sumOf(labels) * 2 <= labels.length;
  const own = isRare ? labels : labels.map((label) => 1 - label);
  const precision = metrics.averagePrecisionOf(isRare ? chances : chances.map((chance) => 1 - chance), own);
  return (weights) => precision(weights) / metrics.weightedMean(own, weights);
}

/** Returns the increase of the AUC of held-out rows if the model has seen their entities at earlier dates. */
function entityJump({ split }: TrainingRun, model: LearnedModel, { rows, labels, chances }: HeldOut) {
  if (split.testFrom === null) return null;
  return finite(metrics.auc(chancesOf(model, rows), labels) - metrics.auc(chances, labels));
}
