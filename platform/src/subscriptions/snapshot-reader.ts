import { randomUUID } from 'node:crypto';
import { systemCaller } from '../base/caller.ts';
import type { PushIterator } from '../base/iterators.ts';
import type { Context } from '../context.ts';
import { createContext } from '../database/create-context.ts';
import { whenAvailable } from '../database/when-available.ts';
import { aboutChannel } from '../work/events.ts';
import { ENDED } from './publish-progress.ts';
import { spacedCalls } from './spaced-calls.ts';

/** Between the beginnings of two reads, except of a published end. */
const INTERVAL_MS = 250;

/** One thing of a workspace and mode. */
export interface Watched<T> {
  /** As in payloads: `import` for `importId`. All who watch one noun and id watch the same. */
  readonly noun: string;
  readonly id: string;
  /** Reads it as it is now, on behalf of all who watch it: as the product itself. Null: it is gone. */
  readonly read: (ctx: Context) => Promise<T | null>;
  readonly isEnded: (value: T) => boolean;
  /** One more live channel: whatever it carries is a change. */
  readonly alsoOn?: string;
}

/** Reads one thing for all who watch it in this process. */
export interface SnapshotReader<T> {
  /** From now on the watcher gets values, the first one read for it. */
  join(watcher: PushIterator<T>): void;
  /** The reader ends with its last watcher. */
  leave(watcher: PushIterator<T>): void;
}

/**
 * Starts a reader that nobody has joined yet.
 *
 * @param ctx - only its services, workspace and mode are used: a reader may outlive the request
 * @param onEnd - called once: who comes later needs another reader
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
        // Who came meanwhile gets a value of its own: what has ended may have begun again.
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

/** Reads as the product itself, each time anew; waits while the database is away. */
function readOf<T>(
  { services, scope }: Context,
  watched: Watched<T>,
  signal: AbortSignal,
): () => Promise<T | null> {
  const caller = systemCaller('live', scope);
  const newContext = () => createContext(services, { caller, requestId: randomUUID(), signal });
  return () => whenAvailable(() => watched.read(newContext()), signal);
}

/** Messages that may have been lost count as one. */
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
