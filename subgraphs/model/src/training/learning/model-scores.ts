import { keyChances } from '../learners/key-models.ts';
import { predictSoftmax } from '../learners/softmax.ts';
import type { LearnedModel } from './trained-model.ts';

type ItemModel = Extract<LearnedModel, { learner: 'softmax' }>;
type BasketModel = Extract<LearnedModel, { learner: 'one_vs_rest' }>;

/** Share of the frequencies of classes in their chances: a class that was never seen has a chance, too. */
const PRIOR_SHARE = 0.001;

/** Chance of each class for an encoded row; they sum to 1. */
export const classChances = (model: ItemModel, row: ArrayLike<number>): Float64Array =>
  predictSoftmax(model, row).map(
    (chance, place) => (1 - PRIOR_SHARE) * chance + PRIOR_SHARE * model.priors[place]!,
  );

/** Chance of each key, by itself, for an encoded row. */
export const basketChances = (model: BasketModel, row: ArrayLike<number>): Float64Array =>
  keyChances(model.models, row);
