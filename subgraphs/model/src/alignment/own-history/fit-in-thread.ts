import { Worker } from 'node:worker_threads';
import type { TrainingOutcome, TrainingProgress } from '../../training/measures/training-request.ts';
import type { OwnHistoryRequest } from './fit-own-history.ts';

type Message = { readonly progress: TrainingProgress } | { readonly outcome: TrainingOutcome };

/**
 * Fits a head in a thread, so that this process keeps answering. The request's numbers are moved into the
 * thread: they cannot be read here any more.
 *
 * @param options.signal - ends the thread at once
 * @throws the signal's reason; what the fit throws
 */
export async function fitInThread(
  request: OwnHistoryRequest,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: TrainingProgress) => void },
): Promise<TrainingOutcome> {
  const { signal, onProgress } = options;
  signal.throwIfAborted();
  const moved = request.history.windows.flatMap(({ values, labels, standard, firstDays, members }) =>
    [values, labels, standard, firstDays, members].map(({ buffer }) => buffer as ArrayBuffer),
  );
  const thread = new Worker(new URL('./own-history.thread.ts', import.meta.url), {
    execArgv: [],
    workerData: request,
    transferList: moved,
  });
  const { promise, resolve, reject } = Promise.withResolvers<TrainingOutcome>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  thread.on('message', (message: Message) => {
    if ('outcome' in message) resolve(message.outcome);
    else onProgress(message.progress);
  });
  thread.on('error', reject);
  thread.on('exit', () => reject(new Error('The thread ended without a result.')));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    await thread.terminate();
  }
}
