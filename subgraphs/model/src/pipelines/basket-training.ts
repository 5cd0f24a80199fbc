import { encodedNames, rowAt, rowsOf } from '../estimators/feature-encoder.ts';
import { boundedFigure, finite, gate } from '../estimators/gates.ts';
import { innerFolds, pick } from '../estimators/inner-folds.ts';
import {
  bestCombinations,
  chooseKeyLambda,
  fitKeyModels,
  type KeyLabels,
  largest,
  pairLifts,
  recommendedCount,
  type Vocabulary,
  vocabularyOf,
} from '../estimators/key-models.ts';
import { keysOf } from '../estimators/samples.ts';
import { boundOf, entityBootstrap } from '../numerics/bootstrap.ts';
import type { FeatureRows } from '../numerics/logistic.ts';
import * as metrics from '../numerics/metrics.ts';
import { basketChances, type LearnedModel } from './trained-model.ts';
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
const KEYS_MIN = 2;
const PAIRS = 5;
/** Quantile of a one-sided 97.5% bound. */
const LOWER = 0.025;

/** The task basket: chances of keys, and combinations of them. */
export const basketTraining: TaskTraining = { fit, evaluate };

type BasketModels = Extract<LearnedModel, { learner: 'one_vs_rest' }>;

const labelsOf = (baskets: readonly (readonly string[])[], vocabulary: Vocabulary): KeyLabels =>
  vocabulary.map((key) => Uint8Array.from(baskets, (keys) => (keys.includes(key) ? 1 : 0)));

function fit(run: TrainingRun): FittedLearner {
  const { samples, split } = run;
  const entities = pick(samples.entities, split.train);
  const baskets = pick(samples.targets, split.train).map(keysOf);
  const frequent = vocabularyOf(baskets.map((keys, row) => ({ keys, entity: entities[row]! })));
  // A key of every basket needs no model.
  const vocabulary = frequent.filter((key) => baskets.some((keys) => !keys.includes(key)));
  if (vocabulary.length < KEYS_MIN)
    throw tooFewSamples('The samples to fit to have fewer than 2 keys with 20 samples of 15 entities.');
  const [rows, labels] = [rowsOf(run.rows, split.train), labelsOf(baskets, vocabulary)];
  const lambda = chooseKeyLambda(rows, labels, innerFolds(entities, FOLDS, run.seed), (done) =>
    run.onProgress('Choosing the penalty', 0.05 + 0.6 * done),
  );
  run.onProgress('Fitting the model', 0.65);
  const fitTo = (own: FeatureRows, ownLabels: KeyLabels): BasketModels => ({
    learner: 'one_vs_rest',
    lambda: lambda.setting,
    keys: [...vocabulary],
    priors: ownLabels.map((each) => metrics.sumOf(each) / each.length),
    models: fitKeyModels(own, ownLabels, lambda.setting),
    lifts: pairLifts(ownLabels),
  });
  const model = fitTo(rows, labels);
  return {
    model,
    foldModels: split.folds.map(({ train }) =>
      fitTo(rowsOf(run.rows, train), labelsOf(pick(samples.targets, train).map(keysOf), vocabulary)),
    ),
    candidates: [
      {
        learner: 'one_vs_rest',
        logLoss: metrics.sumOf(lambda.losses) / lambda.losses.length,
        lambda: lambda.setting,
        trees: null,
      },
    ],
    importance: encodedNames(run.encoder, samples.featureNames).map((name, place) => {
      const squares = model.models.map(({ weights }) => weights[place]! * weights[place]!);
      return { name, value: Math.sqrt(metrics.sumOf(squares) / squares.length) };
    }),
    baseRate: null,
    deciles: [],
  };
}

interface BasketSide {
  readonly chances: readonly Float64Array[];
  readonly baskets: readonly (readonly string[])[];
}

const chancesOf = (model: LearnedModel, row: Float64Array): Float64Array =>
  model.learner === 'one_vs_rest' ? basketChances(model, row) : new Float64Array();

/** Returns the held-out rows with the predictions of an incremental version's base. */
function baseSide({ baseRows, samples, split }: TrainingRun, base: BasketModels): BasketSide {
  const rows = baseRows!;
  return {
    chances: Array.from({ length: rows.count }, (_, row) => basketChances(base, rowAt(rows, row))),
    baskets: pick(samples.targets, split.test).map(keysOf),
  };
}

function evaluate(run: TrainingRun, { model, foldModels }: FittedLearner): HeldOutFigures {
  if (model.learner !== 'one_vs_rest') throw new TypeError(`${model.learner} predicts no baskets`);
  run.onProgress('Measuring the held-out side', 0.75);
  const side: BasketSide = {
    chances: crossFitted(run, foldModels, chancesOf),
    baskets: pick(run.samples.targets, run.split.test).map(keysOf),
  };
  const popular: BasketSide = { ...side, chances: side.chances.map(() => Float64Array.from(model.priors)) };
  const count = recommendedCount(model.keys.length);
  const [recalls, popularRecalls] = [recallsOf(side, model, count), recallsOf(popular, model, count)];
  const [losses, popularLosses] = [lossesOf(side, model), lossesOf(popular, model)];
  const bootstrap = entityBootstrap(pick(run.samples.entities, run.split.test), run.seed);
  const mean = (numbers: Float64Array) => bootstrap((weights) => metrics.weightedMean(numbers, weights));
  const gain = mean(popularLosses.map((loss, row) => loss - losses[row]!));
  const recallGain = mean(recalls.map((recall, row) => recall - popularRecalls[row]!));
  const flat = model.keys.map((key) => Uint8Array.from(side.baskets, (keys) => (keys.includes(key) ? 1 : 0)));
  return {
    metrics: {
      log_loss: boundedFigure(mean(losses)),
      log_loss_gain: boundedFigure(gain),
      [`recall_at_${count}`]: boundedFigure(mean(recalls)),
      recall_gain: boundedFigure(recallGain),
      pair_hit: boundedFigure(mean(pairHitsOf(side, model))),
    },
    baseline: {
      popularity_log_loss: finite(metrics.weightedMean(popularLosses)),
      [`popularity_recall_at_${count}`]: finite(metrics.weightedMean(popularRecalls)),
      popularity_pair_hit: finite(metrics.weightedMean(pairHitsOf(popular, model))),
      keys: model.keys.length,
    },
    calibration: metrics.calibrationBins(
      flat.flatMap((_, key) => side.chances.map((own) => own[key]!)),
      flat.flatMap((own) => [...own]),
    ),
    slices: reportSlices(run, (places) => ({
      recall: finite(metrics.weightedMean(pick(recalls, places))),
      log_loss: finite(metrics.weightedMean(pick(losses, places))),
    })),
    gates: [
      ...keySizeGates(run, model.keys.length),
      gate('log_loss_gain_bound', boundOf(gain, LOWER), 'above', 0),
      gate('recall_gain_bound', boundOf(recallGain, LOWER), 'above', 0),
      ...baseGate(run, metrics.weightedMean(losses), (base) =>
        base.learner === 'one_vs_rest' ? metrics.weightedMean(lossesOf(baseSide(run, base), base)) : null,
      ),
    ],
    entityJump: null,
  };
}

/** Returns the share of each basket's keys among the likeliest ones. */
const recallsOf = ({ chances, baskets }: BasketSide, { keys }: BasketModels, count: number): Float64Array =>
  Float64Array.from(baskets, (own, row) => {
    const found = largest(chances[row]!, count).filter((place) => own.includes(keys[place]!));
    return found.length / own.length;
  });

/** Returns the log-loss of each basket: the mean over keys of the vocabulary, in nats. */
const lossesOf = ({ chances, baskets }: BasketSide, { keys }: BasketModels): Float64Array =>
  Float64Array.from(baskets, (own, row) => {
    const losses = keys.map((key, place) =>
      metrics.lossOfChance(chances[row]![place]!, own.includes(key) ? 1 : 0),
    );
    return metrics.weightedMean(losses);
  });

/** Returns 1 for each basket that contains one of the five best pairs. */
const pairHitsOf = ({ chances, baskets }: BasketSide, { keys, lifts }: BasketModels): Float64Array =>
  Float64Array.from(baskets, (own, row) => {
    const { pairs } = bestCombinations(chances[row]!, lifts, PAIRS);
    return pairs.some((pair) => pair.keys.every((place) => own.includes(keys[place]!))) ? 1 : 0;
  });
