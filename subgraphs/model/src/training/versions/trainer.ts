import { checkSamples, inferFeatures, trainVersion } from '../learning/train-version.ts';

/** What checks samples, trains versions and infers with them. */
export interface Trainer {
  readonly checkSamples: typeof checkSamples;
  readonly trainVersion: typeof trainVersion;
  readonly inferFeatures: typeof inferFeatures;
}

export type InferredFeatures = ReturnType<Trainer['inferFeatures']>;

export const standardTrainer: Trainer = { checkSamples, trainVersion, inferFeatures };
