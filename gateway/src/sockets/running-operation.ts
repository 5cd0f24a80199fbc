import type { OperationResult } from '../error-formatting.ts';
import type { OperationError } from './operation-errors.ts';

type Step = IteratorResult<OperationResult, undefined>;
type Source = Iterator<OperationResult> | AsyncIterator<OperationResult>;

/** One running operation, read result by result. It can be ended at any time. */
export interface OperationRun extends AsyncIterableIterator<OperationResult, undefined> {
  /** Ends the operation at once, even while the reader waits for a result. */
  return(): Promise<Step>;
  /** Ends the operation with an error. A waiting reader receives it at once, others with their next step. */
  fail(error: OperationError): void;
}

type Open = (signal: AbortSignal) => Promise<Source>;
const done: Step = { done: true, value: undefined };

/**
 * Creates a run of `open`, which is called when the first result is requested. An async generator could not
 * be used, because it cannot be ended while it waits.
 *
 * @param open - starts the operation; its signal aborts when the run ends
 * @param onEnd - called once, after any kind of end
 */
export function createOperationRun(open: Open, onEnd: () => void): OperationRun {
  const controller = new AbortController();
  let source: Source | null = null;
  let reader: PromiseWithResolvers<Step> | null = null;
  let failure: unknown = null;
  let isEnded = false;

  function end(error: unknown = null): void {
    if (isEnded) return;
    isEnded = true;
    controller.abort();
    endSource(source);
    if (!reader) failure = error;
    else if (error) reader.reject(error);
    else reader.resolve(done);
    reader = null;
    onEnd();
  }

  async function pull(): Promise<void> {
    source ??= await open(controller.signal);
    if (isEnded) return endSource(source);
    const step = await source.next();
    if (step.done) return end();
    reader?.resolve(step);
    reader = null;
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const thrown = failure;
      failure = null;
      if (thrown) throw thrown;
      if (isEnded) return done;
      reader = Promise.withResolvers();
      const { promise } = reader;
      pull().catch(end);
      return promise;
    },
    async return() {
      end();
      return done;
    },
    fail: end,
  };
}

/** Ignores a failure to end, because the source is no longer read. */
function endSource(source: Source | null): void {
  void Promise.resolve(source?.return?.()).catch(() => undefined);
}
