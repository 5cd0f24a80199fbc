import { pushIterator } from '../base/iterators.ts';
import type { Context, Services } from '../context.ts';
import { aboutChannel } from '../work/events.ts';
import { type SnapshotReader, startReader, type Watched } from './snapshot-reader.ts';
import { asSnapshots, type Snapshots } from './snapshots.ts';

/**
 * Watches a thing: its state now and after every change, until it has ended or no longer exists. Changes that
 * come faster than four times a second, or faster than they are read, become one. A published end is read at
 * once. After an interruption of live events the thing is read again.
 *
 * All watchers in one process share one subscription and one read per change. A value is never older than the
 * watcher's call. It must not be changed, because watchers share it. While the database is away, they wait
 * for at most a minute.
 *
 * @returns an iterator; a failing read ends it with the error, and the next watcher reads again
 */
export function watchSnapshot<T>(ctx: Context, watched: Watched<T>): Snapshots<T> {
  const reader = readerOf(ctx, watched);
  const { signal } = ctx.request;
  const watcher = pushIterator<T>({ max: 1, onEnd: leave });
  const end = () => watcher.end();
  reader.join(watcher);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return asSnapshots(watcher);

  function leave(): void {
    signal.removeEventListener('abort', end);
    reader.leave(watcher);
  }
}

/** Readers of each process, by channel. */
const readers = new WeakMap<Services['live'], Map<string, SnapshotReader<unknown>>>();

function readerOf<T>(ctx: Context, watched: Watched<T>): SnapshotReader<T> {
  const { live } = ctx.services;
  const running = readers.get(live) ?? new Map<string, SnapshotReader<unknown>>();
  readers.set(live, running);
  const channel = aboutChannel(ctx.scope, watched.noun, watched.id);
  const known = running.get(channel) as SnapshotReader<T> | undefined;
  const reader = known ?? startReader(ctx, watched, () => running.delete(channel));
  running.set(channel, reader as SnapshotReader<unknown>);
  return reader;
}
