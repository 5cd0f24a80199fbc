import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@loyalty/platform/errors';
import type { TrainingOutcome, TrainingProgress } from '../measures/training-request.ts';
import type { ThreadMessage } from './run-in-thread.ts';

/** Does the work that `runInThread` asks of this thread: sends progress, then the outcome or the refusal. */
export function answerInThread<Request>(
  work: (request: Request, onProgress: (progress: TrainingProgress) => void) => TrainingOutcome,
): void {
  const send = (message: ThreadMessage): void => parentPort?.postMessage(message);
  try {
    send({ outcome: work(workerData as Request, (progress) => send({ progress })) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    send({ refusal: { category: error.category, code: error.code, message: error.message } });
  }
}
