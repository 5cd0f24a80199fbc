import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { binaryChance } from '../estimators/binary-model.ts';
import { unusualFeatures } from '../estimators/feature-distribution.ts';
import { encodeRows, rowAt } from '../estimators/feature-encoder.ts';
import { bestCombinations, largest, recommendedCount } from '../estimators/key-models.ts';
import { readSamples } from '../estimators/samples.ts';
import type { TrainedArtifact, TrainingConfig } from '../estimators/training-request.ts';
import { basketChances, classChances, readModel, type TrainedModel } from './trained-model.ts';

/** The inference of a version for the features of one member. */
export interface EnterpriseInference {
  /** False outside of the training data: then there is no answer. */
  readonly inDistribution: boolean;
  /** The limits of the answer, or the reason why there is none. */
  readonly limits: readonly string[];
  readonly objective: string;
  /** The score, 0 to 1 with 6 decimals: of the label 1, of the likeliest item, of the likeliest key. */
  readonly value: number | null;
  readonly conclusions: readonly string[];
  readonly actions: readonly string[];
}

type Answer = Pick<EnterpriseInference, 'value' | 'conclusions' | 'actions'>;

const NOTHING: Answer = { value: null, conclusions: [], actions: [] };
const PAIRS = 3;
const TRIPLES = 1;

/**
 * Infers conclusions, actions and a score; none of them outside of the training data.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the feature
 */
export function inferenceOf(
  model: TrainedModel,
  features: Readonly<Record<string, number>>,
): EnterpriseInference {
  const raw = rowOf(model, features);
  const objective = `${model.subject} within ${model.horizon} days`;
  const unusual = unusualFeatures(model.distribution, raw);
  if (unusual.length > 0) {
    const limits = limitsOf(model, unusual);
    return { inDistribution: false, limits, objective, ...NOTHING };
  }
  const { values } = encodeRows(model.encoder, { count: 1, width: raw.length, values: raw });
  return { inDistribution: true, limits: model.limitations, objective, ...answerOf(model, values) };
}

function rowOf({ features: names }: TrainedModel, features: Readonly<Record<string, number>>): Float64Array {
  return gathered((check) => {
    for (const name of Object.keys(features))
      check(() => {
        if (!names.includes(name)) throw invalid(`features.${name}`, 'is no feature of this version');
      });
    return Float64Array.from(names, (name) => check(() => numberOf(features, name)));
  });
}

function numberOf(features: Readonly<Record<string, number>>, name: string): number {
  const value = Object.hasOwn(features, name) ? features[name] : undefined;
  if (value === undefined) throw invalid(`features.${name}`, 'is missing: the version was trained with it');
  if (!Number.isFinite(value)) throw invalid(`features.${name}`, 'must be a finite number');
  return value;
}

function limitsOf({ features, distribution }: TrainedModel, unusual: readonly number[]): string[] {
  if (unusual.length === features.length && features.length > 1)
    return ['OUT_OF_DISTRIBUTION: together the features are unlike those of the samples.'];
  return unusual.map((place) => {
    const [low, high] = [distribution.lows[place]!, distribution.highs[place]!];
    return `OUT_OF_DISTRIBUTION: ${features[place]} is not between ${shown(low)} and ${shown(high)}.`;
  });
}

function answerOf(trained: TrainedModel, row: Float64Array): Answer {
  const { model } = trained;
  if (model.learner === 'softmax') return itemAnswer(model.classes, classChances(model, row));
  if (model.learner === 'one_vs_rest')
    return basketAnswer(model.keys, basketChances(model, row), model.lifts);
  return binaryAnswer(trained, binaryChance(model, row));
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
const shown = (value: number): string => String(Number(value.toPrecision(3)));

interface BinaryWords {
  readonly event: string;
  readonly action: string;
}

const words: Readonly<Record<'return' | 'tier', BinaryWords>> = {
  return: {
    event: 'a return',
    action: 'Check sizes, descriptions and delivery with the member before the next order is sent.',
  },
  tier: { event: 'an upgrade', action: 'Show the member what is missing to the next tier.' },
};

/** The lowest decile whose scores come with an action: the highest fifth of samples. */
const HIGH_DECILE = 8;

function binaryAnswer({ subject, deciles, baseRate, horizon }: TrainedModel, chance: number): Answer {
  const { event, action } = words[subject === 'tier' ? 'tier' : 'return'];
  const decile = deciles.filter((limit) => chance > limit).length;
  const average = baseRate ?? 0;
  return {
    value: rounded(chance),
    conclusions: [
      `The score of ${event} within ${horizon} days is ${shown(chance)}; ` +
        `the share in the samples was ${shown(average)}.`,
      `The score is higher than that of ${decile * 10} of 100 samples.`,
    ],
    actions: decile >= HIGH_DECILE ? [action] : [],
  };
}

function itemAnswer(classes: readonly string[], chances: Float64Array): Answer {
  const known = chances.subarray(0, classes.length);
  const best = largest(known, recommendedCount(classes.length));
  const named = best.map((place) => `${classes[place]} (${shown(known[place]!)})`);
  return {
    value: rounded(known[best[0]!]!),
    conclusions: [`The likeliest next items are ${named.join(', ')}.`],
    actions: best.map((place) => `Recommend ${classes[place]}.`),
  };
}

function basketAnswer(keys: readonly string[], chances: Float64Array, lifts: readonly number[]): Answer {
  const [best] = largest(chances, 1);
  const { pairs, triples } = bestCombinations(chances, lifts, PAIRS);
  const namesOf = (places: readonly number[]) => places.map((place) => keys[place]).join(', ');
  const combinations = [...pairs, ...triples.slice(0, TRIPLES)];
  return {
    value: rounded(chances[best!]!),
    conclusions: combinations.map(({ keys: places }) => `Likely together: ${namesOf(places)}.`),
    actions: combinations.map(({ keys: places }) => `Offer ${namesOf(places)} together.`),
  };
}

/**
 * Returns the chances of samples by a return or tier model; null if it is of another kind, or the samples
 * have other features than its training data.
 *
 * @param content - the uploaded CSV
 */
export function binaryScores(
  artifact: TrainedArtifact,
  config: TrainingConfig,
  content: string,
  now: Date,
): Float64Array | null {
  const { subject, features, encoder, model } = readModel(artifact);
  if (model.learner !== 'logistic' && model.learner !== 'boosted_trees') return null;
  const { samples } = readSamples(subject, config, content, now);
  if (!samples || samples.featureNames.join() !== features.join()) return null;
  const rows = encodeRows(encoder, samples.features);
  return Float64Array.from({ length: rows.count }, (_, row) => binaryChance(model, rowAt(rows, row)));
}
