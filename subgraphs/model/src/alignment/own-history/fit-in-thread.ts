import type { TrainingOutcome, WorkOptions } from '../../training/measures/training-request.ts';
import { runInThread } from '../../training/threads/run-in-thread.ts';
import type { OwnHistoryRequest } from './fit-own-history.ts';

/**
 * Fits a head in a thread. The request's numbers are moved into the thread: they cannot be read here
 * any more.
 *
 * @throws the signal's reason; what the fit throws
 */
export function fitInThread(request: OwnHistoryRequest, options: WorkOptions): Promise<TrainingOutcome> {
  const moved = request.history.windows.flatMap(({ values, labels, standard, firstDays, members }) =>
    [values, labels, standard, firstDays, members].map(({ buffer }) => buffer as ArrayBuffer),
  );
  return runInThread(new URL('./own-history.thread.ts', import.meta.url), request, options, moved);
}
