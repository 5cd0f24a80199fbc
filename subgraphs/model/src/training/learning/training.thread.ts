import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@loyalty/platform/errors';
import type { TrainingOutcome, TrainingProgress, TrainingRequest } from '../measures/training-request.ts';
import { trainRequest } from './train-request.ts';

/** What the thread sends: progress, then an outcome or a refusal; anything else ends it with an error. */
export type ThreadMessage =
  | { readonly progress: TrainingProgress }
  | { readonly outcome: TrainingOutcome }
  | { readonly refusal: Pick<AppError, 'category' | 'code' | 'message'> };

// Runs in a thread of its own, one training each: see train-version.ts.
const send = (message: ThreadMessage): void => parentPort?.postMessage(message);

try {
  const request = workerData as TrainingRequest;
  send({ outcome: trainRequest(request, (progress) => send({ progress })) });
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  send({ refusal: { category: error.category, code: error.code, message: error.message } });
}
