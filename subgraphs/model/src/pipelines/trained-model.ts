import { AppError } from '@loyalty/platform/base/errors';
import { z } from 'zod';
import { binaryLearners, logisticFields } from '../estimators/binary-model.ts';
import { storedDistribution } from '../estimators/feature-distribution.ts';
import { keyChances } from '../estimators/key-models.ts';
import { predictSoftmax } from '../estimators/softmax.ts';
import type { TrainedArtifact } from '../estimators/training-request.ts';

const number = z.coerce.number();

const numbers = z.array(number);

const model = z.discriminatedUnion('learner', [
  ...binaryLearners,
  z.object({
    learner: z.literal('softmax'),
    lambda: number,
    /** The last class stands for all other keys. */
    classes: z.array(z.string()),
    priors: numbers,
    means: numbers,
    scales: numbers,
    weights: numbers,
  }),
  z.object({
    learner: z.literal('one_vs_rest'),
    lambda: number,
    keys: z.array(z.string()),
    priors: numbers,
    models: z.array(logisticFields),
    lifts: numbers,
  }),
]);

const trainedModel = z.object({
  kind: z.literal('TRAINING'),
  subject: z.enum(['return', 'item', 'basket', 'tier']),
  codeVersion: z.string(),
  origin: z.enum(['test', 'live']),
  horizon: number,
  features: z.array(z.string()),
  encoder: z.object({ medians: numbers, indicators: numbers }),
  distribution: storedDistribution,
  /** Share of the label 1 in the training samples; null for items and baskets. */
  baseRate: number.nullable(),
  /** The deciles of the training samples' scores; empty for items and baskets. */
  deciles: numbers,
  limitations: z.array(z.string()),
  model,
});

/** A model of one of the four tasks with numbers as numbers. */
export type TrainedModel = z.infer<typeof trainedModel>;

export type LearnedModel = TrainedModel['model'];

const known = new WeakMap<TrainedArtifact, TrainedModel>();

/**
 * Parses a stored model; the result is cached for each object.
 *
 * @throws AppError ARTIFACT_UNREADABLE (409) if it is not a model of the four tasks
 */
export function readModel(artifact: TrainedArtifact): TrainedModel {
  const read = known.get(artifact) ?? trainedModel.safeParse(artifact).data;
  if (!read) throw new AppError('CONFLICT', 'ARTIFACT_UNREADABLE', 'The stored model cannot be read.');
  known.set(artifact, read);
  return read;
}

type ItemModel = Extract<LearnedModel, { learner: 'softmax' }>;

type BasketModel = Extract<LearnedModel, { learner: 'one_vs_rest' }>;

/** Weight of the class frequencies in the chances: an unseen class has a chance, too. */
const PRIOR_SHARE = 0.001;

/** Returns the chance of each class for an encoded row; they sum to 1. */
export const classChances = (model: ItemModel, row: ArrayLike<number>): Float64Array =>
  predictSoftmax(model, row).map(
    (chance, place) => (1 - PRIOR_SHARE) * chance + PRIOR_SHARE * model.priors[place]!,
  );

/** Returns the independent chance of each key for an encoded row. */
export const basketChances = (model: BasketModel, row: ArrayLike<number>): Float64Array =>
  keyChances(model.models, row);
