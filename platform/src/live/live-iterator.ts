import { slowConsumer } from '../base/errors.ts';
import { pushIterator } from '../base/iterators.ts';
import type { Live } from './live.ts';

/** Maximum of different ids that wait to be read. */
const WAITING_MAX = 1_000;

export interface LiveIteratorOptions {
  /** Ends the iterator when it aborts. */
  readonly signal?: AbortSignal;
  /** Ids that are read first, before any message. */
  readonly first?: readonly string[];
  /**
   * Returns the ids to read after an interruption, in which any message may have been lost. Default: none.
   */
  readonly missed?: () => Promise<readonly string[]>;
  /**
   * Called with the id of every message of the channel; returns whether it is to be read. Default: all are.
   */
  readonly accepts?: (id: string) => boolean;
  /** True if an interruption has preceded this call. */
  readonly isResumed?: boolean;
}

/**
 * Returns an iterator over the ids of one live channel from this call on. An id that already waits is not
 * queued twice. `return()` unsubscribes at once, even while a read waits.
 *
 * @returns an iterator whose next read fails with SLOW_CONSUMER (429) when more than 1,000 ids wait
 */
export function liveIterator(
  live: Live,
  channel: string,
  options: LiveIteratorOptions = {},
): AsyncIterableIterator<string, undefined> {
  const { signal, first = [], missed, accepts = () => true, isResumed = false } = options;
  const ids = pushIterator<string>({ max: WAITING_MAX, onEnd: unsubscribeAll });
  const push = (id: string) => {
    if (!ids.push(id)) ids.fail(slowConsumer(WAITING_MAX));
  };
  const readAgain = () => {
    missed?.().then(
      (lost) => lost.forEach(push),
      (error: Error) => ids.fail(error),
    );
  };
  const end = () => ids.end();
  const unsubscribe = live.subscribe(channel, (id) => {
    if (accepts(id)) push(id);
  });
  const offGap = live.onGap(readAgain);
  signal?.addEventListener('abort', end, { once: true });
  first.forEach(push);
  if (isResumed) readAgain();
  if (signal?.aborted) end();
  return ids;

  function unsubscribeAll(): void {
    unsubscribe();
    offGap();
    signal?.removeEventListener('abort', end);
  }
}
