import { parentPort, Worker, workerData } from 'node:worker_threads';
import { AppError } from '@loyalty/platform/base/errors';
import type { TrainingOutcome, TrainingProgress, WorkOptions } from './training-request.ts';

/** The messages of a thread: progress, then an outcome or a refusal; any other end is an error. */
export type ThreadMessage =
  | { readonly progress: TrainingProgress }
  | { readonly outcome: TrainingOutcome }
  | { readonly refusal: Pick<AppError, 'category' | 'code' | 'message'> };

const MEMORY_MB = 1_024;

/**
 * Runs a module in its own thread, so that this process stays responsive.
 *
 * @param module - calls `answerInThread`
 * @param request - its input, copied by structured clone
 * @param moved - memory of the request that is transferred to the thread and cannot be read here afterwards
 * @throws AppError that the thread threw; the signal's reason, which ends the thread at once
 */
export async function runInThread(
  module: URL,
  request: unknown,
  { signal, onProgress }: WorkOptions,
  moved: readonly ArrayBuffer[] = [],
): Promise<TrainingOutcome> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<TrainingOutcome>();
  const thread = new Worker(module, {
    execArgv: [],
    workerData: request,
    transferList: [...moved],
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

/** Does the work of this thread for `runInThread`: sends progress, then the outcome or the refusal. */
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
