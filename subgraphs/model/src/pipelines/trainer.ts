import { runInThread } from '../estimators/run-in-thread.ts';
import type {
  SampleIssue,
  TrainedArtifact,
  TrainingConfig,
  TrainingOutcome,
  TrainingRequest,
  TrainingSubject,
  WorkOptions,
} from '../estimators/training-request.ts';
import { type EnterpriseInference, inferenceOf } from './model-inference.ts';
import { checkRequest } from './train-request.ts';
import { readModel } from './trained-model.ts';

/**
 * Parses and checks samples; without issues they may be stored.
 *
 * @param now - labels must be complete by then
 * @remarks Source: requirements M-TRN-09, M-TRN-10, M-TRN-31, M-ALN-02 to M-ALN-04
 */
export const checkSamples = (
  subject: TrainingSubject,
  config: TrainingConfig,
  content: string,
  now: Date,
): { readonly issues: readonly SampleIssue[]; readonly sampleCount: number } =>
  checkRequest(subject, config, content, now);

/**
 * Trains in its own thread, so that the process stays responsive. The same request gives the same bits.
 *
 * @throws AppError SAMPLES_INVALID, TOO_FEW_SAMPLES (400); the signal's reason if it was aborted
 * @remarks Source: requirements M-TRN-15, M-TRN-16
 */
export const trainVersion = (request: TrainingRequest, options: WorkOptions): Promise<TrainingOutcome> =>
  runInThread(new URL('./training.thread.ts', import.meta.url), request, options);

/**
 * Infers conclusions, actions and a score by a published artifact; none of them outside of the training data.
 *
 * @param features - a finite number for each feature that the version was trained with, and no other
 * @throws AppError VALIDATION_FAILED (400) naming the feature, ARTIFACT_UNREADABLE (409)
 * @remarks Source: requirements M-TRN-24, M-TRN-27
 */
export const inferFeatures = (
  artifact: TrainedArtifact,
  features: Readonly<Record<string, number>>,
): EnterpriseInference => inferenceOf(readModel(artifact), features);

/** The functions that check samples, train versions and infer with them. */
export interface Trainer {
  readonly checkSamples: typeof checkSamples;
  readonly trainVersion: typeof trainVersion;
  readonly inferFeatures: typeof inferFeatures;
}

export type InferredFeatures = ReturnType<Trainer['inferFeatures']>;

export const standardTrainer: Trainer = { checkSamples, trainVersion, inferFeatures };
