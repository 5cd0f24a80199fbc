import { Worker } from 'node:worker_threads';
import { AppError } from '@loyalty/platform/errors';
import type {
  SampleIssue,
  TrainedArtifact,
  TrainingConfig,
  TrainingOutcome,
  TrainingProgress,
  TrainingRequest,
  TrainingSubject,
} from '../measures/training-request.ts';
import { type EnterpriseInference, inferenceOf } from './model-inference.ts';
import { checkRequest } from './train-request.ts';
import { readModel } from './trained-model.ts';
import type { ThreadMessage } from './training.thread.ts';

export interface TrainingOptions {
  /** Aborting it ends the thread at once. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TrainingProgress) => void;
}

const MEMORY_MB = 1_024;

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
 * Trains in a thread of its own, so that the process answers others meanwhile. The same request gives the
 * same bits.
 *
 * @throws AppError SAMPLES_INVALID, TOO_FEW_SAMPLES (400); the signal's reason where it was aborted
 * @remarks Source: requirements M-TRN-15, M-TRN-16
 */
export async function trainVersion(
  request: TrainingRequest,
  { signal, onProgress }: TrainingOptions,
): Promise<TrainingOutcome> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<TrainingOutcome>();
  const thread = new Worker(new URL('./training.thread.ts', import.meta.url), {
    execArgv: [],
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  thread.on('message', (message: ThreadMessage) => {
    if ('progress' in message) onProgress(message.progress);
    else if ('outcome' in message) resolve(message.outcome);
    else reject(new AppError(message.refusal.category, message.refusal.code, message.refusal.message));
  });
  thread.on('error', reject);
  thread.on('exit', () => reject(new Error('The thread ended without an outcome.')));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    await thread.terminate();
  }
}

/**
 * Conclusions, actions and a score of a published artifact; none of them outside of the training data.
 *
 * @param features - a finite number for each feature that the version was trained with, and no other
 * @throws AppError VALIDATION_FAILED (400) naming the feature, ARTIFACT_UNREADABLE (409)
 * @remarks Source: requirements M-TRN-24, M-TRN-27
 */
export const inferFeatures = (
  artifact: TrainedArtifact,
  features: Readonly<Record<string, number>>,
): EnterpriseInference => inferenceOf(readModel(artifact), features);
