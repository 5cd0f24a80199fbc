import { pushIterator } from '../base/iterators.ts';
import type { Context, Services } from '../context.ts';
import { aboutChannel } from '../work/events.ts';
import { type SnapshotReader, startReader, type Watched } from './snapshot-reader.ts';
import { asSnapshots, type Snapshots } from './snapshots.ts';

/**
 * A thing as it is now and after its changes, until it has ended or is gone. Changes that come faster than
 * four times a second, or faster than they are taken, become one. A published end is read at once. After an
 * interruption of the live events it is read again.
 *
 * All watchers in one process share one subscription and one read per change. A value is never older than the
 * call of the watcher that gets it. Nobody may change it, because others have the same. While the database is
 * away they wait, a minute at most.
 *
 * @returns an iterator whose next read fails with what `read` failed with; the next watcher reads anew
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

/** The readers of each process, by channel. */
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
