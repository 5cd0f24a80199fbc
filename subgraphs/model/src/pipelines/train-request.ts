import { AppError } from '@loyalty/platform/base/errors';
import { readSamples } from '../estimators/samples.ts';
import type {
  AlignmentTarget,
  SampleIssue,
  TrainingConfig,
  TrainingOutcome,
  TrainingProgress,
  TrainingRequest,
  TrainingSubject,
  TrainingTask,
} from '../estimators/training-request.ts';
import { checkAlignment, fitAlignment } from './align.ts';
import { trainSamples } from './train-samples.ts';

const tasks: Readonly<Record<TrainingTask, true>> = { return: true, item: true, basket: true, tier: true };
const targets: Readonly<Record<AlignmentTarget, true>> = { purchase: true, churn: true, abandonment: true };

const isTask = (subject: string): subject is TrainingTask => Object.hasOwn(tasks, subject);
const isTarget = (subject: string): subject is AlignmentTarget => Object.hasOwn(targets, subject);

/** Returns 400. */
const unknownSubject = (subject: string): AppError =>
  new AppError('BAD_USER_INPUT', 'SUBJECT_UNKNOWN', `${subject} cannot be trained.`);

/**
 * Returns the issues of the samples of a task or of an alignment.
 *
 * @param now - labels must be complete by then
 */
export function checkRequest(
  subject: TrainingSubject,
  config: TrainingConfig,
  content: string,
  now: Date,
): { readonly issues: readonly SampleIssue[]; readonly sampleCount: number } {
  if (isTarget(subject)) return checkAlignment(config, content, now);
  if (!isTask(subject)) throw unknownSubject(subject);
  const { issues, sampleCount } = readSamples(subject, config, content, now);
  return { issues, sampleCount };
}

/** Trains the requested subject in this thread. */
export function trainRequest(
  request: TrainingRequest,
  onProgress: (progress: TrainingProgress) => void,
): TrainingOutcome {
  const { subject } = request;
  if (isTarget(subject)) return fitAlignment({ ...request, subject }, onProgress);
  if (!isTask(subject)) throw unknownSubject(subject);
  return trainSamples({ ...request, subject }, onProgress);
}
