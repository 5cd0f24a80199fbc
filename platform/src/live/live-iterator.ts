import { slowConsumer } from '../base/errors.ts';
import { pushIterator } from '../base/iterators.ts';
import type { Live } from './live.ts';

/** Most different ids that wait to be read. */
const WAITING_MAX = 1_000;

export interface LiveIteratorOptions {
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Ids to read at once, before any message. */
  readonly first?: readonly string[];
  /** The ids to read after an interruption, in which any message may have been lost. Default: none. */
  readonly missed?: () => Promise<readonly string[]>;
  /** Called with the id of every message of the channel: is it to be read? Default: all are. */
  readonly accepts?: (id: string) => boolean;
  /** There was an interruption before this call. */
  readonly isResumed?: boolean;
}

/**
 * The ids of one live channel from this call on, as an iterator. An id that waits to be read already does not
 * wait twice. `return()` unsubscribes at once, also while a read waits.
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
