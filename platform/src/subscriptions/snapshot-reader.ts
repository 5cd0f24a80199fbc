import { randomUUID } from 'node:crypto';
import { systemCaller } from '../base/caller.ts';
import type { PushIterator } from '../base/iterators.ts';
import type { Context } from '../context.ts';
import { createContext } from '../database/create-context.ts';
import { whenAvailable } from '../database/when-available.ts';
import { aboutChannel } from '../work/events.ts';
import { ENDED } from './publish-progress.ts';
import { spacedCalls } from './spaced-calls.ts';

/** Minimum time between the starts of two reads, except after a published end. */
const INTERVAL_MS = 250;

/** One watched thing of a workspace and mode. */
export interface Watched<T> {
  /** Noun as in payloads: `import` for `importId`. Watchers with the same noun and id share one reader. */
  readonly noun: string;
  readonly id: string;
  /** Reads the current state for all watchers, as the system; null if the thing no longer exists. */
  readonly read: (ctx: Context) => Promise<T | null>;
  readonly isEnded: (value: T) => boolean;
  /** A further live channel; each of its messages counts as a change. */
  readonly alsoOn?: string;
}

/** Reads one thing for all watchers in this process. */
export interface SnapshotReader<T> {
  /** Adds a watcher; its first value is read after this call. */
  join(watcher: PushIterator<T>): void;
  /** Removes a watcher; the reader ends with its last watcher. */
  leave(watcher: PushIterator<T>): void;
}

/**
 * Starts a reader without watchers.
 *
 * @param ctx - only its services, workspace and mode are used, because a reader may outlive the request
 * @param onEnd - called once; later watchers need a new reader
 */
export function startReader<T>(ctx: Context, watched: Watched<T>, onEnd: () => void): SnapshotReader<T> {
  const watchers = new Set<PushIterator<T>>();
  const newcomers = new Set<PushIterator<T>>();
  const over = new AbortController();
  const read = readOf(ctx, watched, over.signal);
  const reads = spacedCalls(INTERVAL_MS, readForAll);
  let isChanged = false;
  const stop = whenChanged(ctx, watched, (isEnd) => {
    isChanged = true;
    reads.want(isEnd);
  });

  async function readForAll(): Promise<void> {
    const takers = isChanged ? [...watchers] : [...newcomers];
    isChanged = false;
    newcomers.clear();
    try {
      const value = await read();
      if (value === null || watched.isEnded(value)) {
        // Watchers that joined meanwhile are not ended: they get their own read, because an ended thing may
        // have been restarted.
        for (const watcher of [...watchers]) if (!newcomers.has(watcher)) watcher.end(value ?? undefined);
      } else for (const watcher of takers) watcher.replace(value);
    } catch (error) {
      end();
      for (const watcher of [...watchers]) watcher.fail(error as Error);
    }
  }

  function end(): void {
    if (over.signal.aborted) return;
    onEnd();
    stop();
    reads.end();
    over.abort();
  }

  return {
    join(watcher) {
      watchers.add(watcher);
      newcomers.add(watcher);
      reads.want(false);
    },
    leave(watcher) {
      watchers.delete(watcher);
      newcomers.delete(watcher);
      if (watchers.size === 0) end();
    },
  };
}

/** Returns a function that reads in a new context as the system; waits while the database is away. */
function readOf<T>(
  { services, scope }: Context,
  watched: Watched<T>,
  signal: AbortSignal,
): () => Promise<T | null> {
  const caller = systemCaller('live', scope);
  const newContext = () => createContext(services, { caller, requestId: randomUUID(), signal });
  return () => whenAvailable(() => watched.read(newContext()), signal);
}

/**
 * Calls the listener after each message; messages that may have been lost in an interruption count as one.
 */
function whenChanged(
  { services: { live }, scope }: Context,
  { noun, id, alsoOn }: Pick<Watched<unknown>, 'noun' | 'id' | 'alsoOn'>,
  listener: (isEnd: boolean) => void,
): () => void {
  const channel = aboutChannel(scope, noun, id);
  const unsubscribe = live.subscribe(channel, (message) => listener(message === ENDED));
  const unsubscribeAlso = alsoOn ? live.subscribe(alsoOn, () => listener(false)) : () => undefined;
  const offGap = live.onGap(() => listener(false));
  return () => {
    unsubscribe();
    unsubscribeAlso();
    offGap();
  };
}
