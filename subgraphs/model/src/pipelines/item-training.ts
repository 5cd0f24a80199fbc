import { encodedNames, rowAt, rowsOf } from '../estimators/feature-encoder.ts';
import { boundedFigure, finite, gate } from '../estimators/gates.ts';
import { innerFolds, pick } from '../estimators/inner-folds.ts';
import { largest, recommendedCount, type Vocabulary, vocabularyOf } from '../estimators/key-models.ts';
import { chooseSoftmaxLambda, fitSoftmax } from '../estimators/softmax.ts';
import { boundOf, entityBootstrap } from '../numerics/bootstrap.ts';
import * as metrics from '../numerics/metrics.ts';
import { classChances, type LearnedModel } from './trained-model.ts';
import {
  baseGate,
  crossFitted,
  type FittedLearner,
  type HeldOutFigures,
  keySizeGates,
  reportSlices,
  type TaskTraining,
  type TrainingRun,
  tooFewSamples,
} from './training-run.ts';

const FOLDS = 3;
const CLASSES_MIN = 2;
/** Quantile of a one-sided 97.5% bound. */
const LOWER = 0.025;

/** The task item: chances of the next item. */
export const itemTraining: TaskTraining = { fit, evaluate };

type SoftmaxItems = Extract<LearnedModel, { learner: 'softmax' }>;

/** Returns the class of each target; all targets outside of the vocabulary are the last class. */
const classesOf = (targets: readonly string[], vocabulary: Vocabulary): Uint16Array => {
  const places = new Map(vocabulary.map((key, place) => [key, place]));
  return Uint16Array.from(targets, (target) => places.get(target) ?? vocabulary.length);
};

function fit(run: TrainingRun): FittedLearner {
  const { samples, split } = run;
  const [targets, entities] = [pick(samples.targets, split.train), pick(samples.entities, split.train)];
  const vocabulary = vocabularyOf(targets.map((key, row) => ({ keys: [key], entity: entities[row]! })));
  if (vocabulary.length < CLASSES_MIN)
    throw tooFewSamples('The samples to fit to have fewer than 2 items with 20 samples of 15 entities.');
  const sideOf = (places: Uint32Array) => ({
    rows: rowsOf(run.rows, places),
    classes: classesOf(pick(samples.targets, places), vocabulary),
    classCount: vocabulary.length + 1,
  });
  const side = sideOf(split.train);
  const lambda = chooseSoftmaxLambda(side, innerFolds(entities, FOLDS, run.seed), (done) =>
    run.onProgress('Choosing the penalty', 0.05 + 0.6 * done),
  );
  run.onProgress('Fitting the model', 0.65);
  const fitTo = (places: Uint32Array, start: readonly number[] | null): SoftmaxItems => {
    const own = sideOf(places);
    const { means, scales, weights } = fitSoftmax(own, lambda.setting, start);
    const priors = priorsOf(own.classes, own.classCount);
    return {
      learner: 'softmax',
      lambda: lambda.setting,
      classes: [...vocabulary],
      priors,
      means: [...means],
      scales: [...scales],
      weights: [...weights],
    };
  };
  const model = fitTo(split.train, null);
  return {
    model,
    foldModels: split.folds.map(({ train }) => fitTo(train, model.weights)),
    candidates: [
      {
        learner: 'softmax',
        logLoss: metrics.sumOf(lambda.losses) / lambda.losses.length,
        lambda: lambda.setting,
        trees: null,
      },
    ],
    importance: importanceOf(run, model.weights),
    baseRate: null,
    deciles: [],
  };
}

/** Returns the share of each class, with one more row for each. */
function priorsOf(classes: Uint16Array, classCount: number): number[] {
  const counts = new Float64Array(classCount).fill(1);
  for (const each of classes) counts[each]! += 1;
  return Array.from(counts, (count) => count / (classes.length + classCount));
}

/** The importance of each feature: the root mean square of its weights over classes. */
function importanceOf({ encoder, samples }: TrainingRun, weights: readonly number[]) {
  const names = encodedNames(encoder, samples.featureNames);
  const stride = names.length + 1;
  return names.map((name, place) => {
    const own = weights.filter((_, at) => at % stride === place);
    return { name, value: Math.sqrt(own.reduce((sum, weight) => sum + weight * weight, 0) / own.length) };
  });
}

interface ItemSide {
  readonly chances: readonly Float64Array[];
  readonly classes: Uint16Array;
}

function evaluate(run: TrainingRun, { model, foldModels }: FittedLearner): HeldOutFigures {
  if (model.learner !== 'softmax') throw new TypeError(`${model.learner} predicts no items`);
  run.onProgress('Measuring the held-out side', 0.75);
  const { samples, split } = run;
  const side: ItemSide = {
    chances: crossFitted(run, foldModels, chancesOf),
    classes: classesOf(pick(samples.targets, split.test), model.classes),
  };
  const losses = lossesOf(side);
  const gains = losses.map((loss, row) => metrics.lossOfChance(model.priors[side.classes[row]!]!, 1) - loss);
  const count = recommendedCount(model.classes.length);
  const hits = hitsOf(side, model, count);
  const popularHits = hitsOf({ ...side, chances: repeated(model, side) }, model, count);
  const hitGains = hits.map((hit, row) => hit - popularHits[row]!);
  const bootstrap = entityBootstrap(pick(samples.entities, split.test), run.seed);
  const mean = (numbers: Float64Array) => bootstrap((weights) => metrics.weightedMean(numbers, weights));
  const [gain, hitGain] = [mean(gains), mean(hitGains)];
  const tops = side.chances.map((own) => largest(own, 1)[0]!);
  const topChances = side.chances.map((own, row) => own[tops[row]!]!);
  const isTop = tops.map((top, row) => (top === side.classes[row] ? 1 : 0));
  return {
    metrics: {
      log_loss: boundedFigure(mean(losses)),
      log_loss_gain: boundedFigure(gain),
      [`hit_at_${count}`]: boundedFigure(mean(hits)),
      hit_gain: boundedFigure(hitGain),
    },
    baseline: {
      popularity_log_loss: finite(metrics.weightedMean(losses.map((loss, row) => loss + gains[row]!))),
      [`popularity_hit_at_${count}`]: finite(metrics.weightedMean(popularHits)),
      classes: model.classes.length,
    },
    calibration: metrics.calibrationBins(topChances, isTop),
    slices: reportSlices(run, (places) => ({
      hit_rate: finite(metrics.weightedMean(pick(hits, places))),
      log_loss: finite(metrics.weightedMean(pick(losses, places))),
    })),
    gates: [
      ...keySizeGates(run, model.classes.length),
      gate('log_loss_gain_bound', boundOf(gain, LOWER), 'above', 0),
      gate('hit_gain_bound', boundOf(hitGain, LOWER), 'above', 0),
      ...baseGate(run, metrics.weightedMean(losses), (base) =>
        base.learner === 'softmax' ? metrics.weightedMean(lossesOf(baseSide(run, base))) : null,
      ),
    ],
    entityJump: null,
  };
}

const chancesOf = (model: LearnedModel, row: Float64Array): Float64Array =>
  model.learner === 'softmax' ? classChances(model, row) : new Float64Array();

/** Returns the same rows with the predictions of an incremental version's base. */
function baseSide({ baseRows, samples, split }: TrainingRun, base: SoftmaxItems): ItemSide {
  const rows = baseRows!;
  return {
    chances: Array.from({ length: rows.count }, (_, row) => classChances(base, rowAt(rows, row))),
    classes: classesOf(pick(samples.targets, split.test), base.classes),
  };
}

const repeated = ({ priors }: SoftmaxItems, { classes }: ItemSide): Float64Array[] =>
  Array.from(classes, () => Float64Array.from(priors));

const lossesOf = ({ chances, classes }: ItemSide): Float64Array =>
  Float64Array.from(classes, (own, row) => metrics.lossOfChance(chances[row]![own]!, 1));

/**
 * Returns 1 for each target among the likeliest keys; keys outside of the vocabulary are never recommended,
 * so they count as misses.
 */
const hitsOf = ({ chances, classes }: ItemSide, model: SoftmaxItems, count: number): Float64Array =>
  Float64Array.from(classes, (own, row) => {
    const known = chances[row]!.subarray(0, model.classes.length);
    return largest(known, count).includes(own) ? 1 : 0;
  });
