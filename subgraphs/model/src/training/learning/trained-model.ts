import { AppError } from '@loyalty/platform/errors';
import { z } from 'zod';
import { storedDistribution } from '../evaluation/feature-distribution.ts';
import { binaryLearners, logisticFields } from '../learners/binary-model.ts';
import type { TrainedArtifact } from '../measures/training-request.ts';

const number = z.coerce.number();
const numbers = z.array(number);
const model = z.discriminatedUnion('learner', [
  ...binaryLearners,
  z.object({
    learner: z.literal('softmax'),
    lambda: number,
    /** The last class is all other keys. */
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
  /** Share of the label 1 on the side that was fitted to; null for items and baskets. */
  baseRate: number.nullable(),
  /** Scores that 10, 20 … 90 of 100 rows of that side do not exceed; empty for items and baskets. */
  deciles: numbers,
  limitations: z.array(z.string()),
  model,
});

/** A model of one of the four tasks with numbers as numbers. */
export type TrainedModel = z.infer<typeof trainedModel>;

export type LearnedModel = TrainedModel['model'];

const known = new WeakMap<TrainedArtifact, TrainedModel>();

/**
 * Reads a stored model; the same object is read once.
 *
 * @throws AppError ARTIFACT_UNREADABLE (409) where it is no model of the four tasks
 */
export function readModel(artifact: TrainedArtifact): TrainedModel {
  const read = known.get(artifact) ?? trainedModel.safeParse(artifact).data;
  if (!read) throw new AppError('CONFLICT', 'ARTIFACT_UNREADABLE', 'The stored model cannot be read.');
  known.set(artifact, read);
  return read;
}
