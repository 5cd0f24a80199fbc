import { mapIterator, type PushIterator, pushIterator } from '@loyalty/platform/base/iterators';
import type { Request } from '@loyalty/platform/context';
import type { SubgraphRequest } from '@loyalty/platform/graph/subgraph';
import { areSnapshots, asSnapshots } from '@loyalty/platform/subscriptions/snapshots';
import type { ExecutionResult } from 'graphql';
import type { Results, Transport } from './transport.ts';

type Subscribe = Transport['subscribe'];

/** Subscriptions to one subgraph; equal ones share one. */
export interface SnapshotSharing {
  readonly subscribe: Subscribe;
  /** Stops sharing running subscriptions, because their last result may be old. */
  interrupt(): void;
}

/**
 * Shares a subscription to snapshots among equal requests of one caller. A later request receives the newest
 * result first, then the same results as the others. A slow reader skips results. Other subscriptions are
 * passed on.
 */
export function shareSnapshots(open: Subscribe): SnapshotSharing {
  /** Running subscriptions by request and caller; null for a subscription without snapshots. */
  const running = new Map<string, Promise<SharedSnapshots | null>>();

  async function start(key: string, request: SubgraphRequest, from: Request) {
    const { signal, ...unsignalled } = from;
    const ended = new AbortController();
    const opened = open(request, { ...unsignalled, signal: ended.signal });
    const forget = () => void (running.get(key) === shared && running.delete(key));
    const shared = opened.then((answer) =>
      areSnapshots(answer) ? sharedSnapshots(answer as Results, forget) : null,
    );
    running.set(key, shared);
    const joinable = await shared;
    if (joinable) return joinable.join(signal);
    forget();
    return endedBy(signal, await opened, ended);
  }

  async function subscribe(request: SubgraphRequest, from: Request): Promise<Results | ExecutionResult> {
    const key = JSON.stringify([request, from.caller]);
    const known = running.get(key);
    if (!known) return start(key, request, from);
    const joinable = await known;
    if (joinable?.isRunning) return joinable.join(from.signal);
    // An ended subscription is no longer shared: the first of the waiting requests starts another one.
    return joinable ? subscribe(request, from) : start(key, request, from);
  }

  return { subscribe, interrupt: () => running.clear() };
}

/** Returns the same answer, which also ends with another signal. */
function endedBy(
  signal: AbortSignal | undefined,
  answer: Results | ExecutionResult,
  ended: AbortController,
): Results | ExecutionResult {
  if (!signal || !('next' in answer)) return answer;
  const end = () => ended.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return mapIterator(answer, {
    map: async (result) => result,
    onEnd: () => signal.removeEventListener('abort', end),
  });
}

interface SharedSnapshots {
  readonly isRunning: boolean;
  join(signal: AbortSignal | undefined): Results;
}

/** Reads the source as long as any reader remains. */
function sharedSnapshots(source: Results, onEnd: () => void): SharedSnapshots {
  const readers = new Set<PushIterator<ExecutionResult>>();
  let newest: ExecutionResult | null = null;
  let isRunning = true;

  function end(): void {
    if (!isRunning) return;
    isRunning = false;
    onEnd();
    void source.return!();
  }

  async function read(): Promise<void> {
    for await (const result of source) {
      newest = result;
      for (const reader of readers) reader.replace(result);
    }
  }

  read()
    .then(
      () => [...readers].forEach((reader) => void reader.end()),
      (error: Error) => [...readers].forEach((reader) => void reader.fail(error)),
    )
    .finally(end);
  return {
    get isRunning() {
      return isRunning;
    },
    join(signal) {
      const reader = pushIterator<ExecutionResult>({ max: 1, onEnd: leave });
      const stop = () => void reader.return!();
      readers.add(reader);
      if (newest) reader.push(newest);
      signal?.addEventListener('abort', stop, { once: true });
      if (signal?.aborted) stop();
      return asSnapshots(reader);

      function leave(): void {
        signal?.removeEventListener('abort', stop);
        readers.delete(reader);
        if (readers.size === 0) end();
      }
    },
  };
}
