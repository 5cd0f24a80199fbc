import type { Context, Services } from '../context.ts';
import { asyncIterator, DONE } from '../live/async-iterator.ts';
import { liveIterator } from '../live/live-iterator.ts';
import { aboutChannel } from '../outbox/events.ts';
import { findImport, type Import } from './imports.store.ts';

/** A running import tells of itself at most this often. */
const PUBLISH_INTERVAL_MS = 500;

const told = new WeakMap<Services['live'], Map<string, number>>();

/** Lets watchers know that the numbers changed, twice a second at most; the end is told at once. */
export function tellProgress(ctx: Context, id: string, isEnd = false): void {
  const { live } = ctx.services;
  const times = told.get(live) ?? new Map<string, number>();
  told.set(live, times);
  const now = performance.now();
  if (!isEnd && now - (times.get(id) ?? -PUBLISH_INTERVAL_MS) < PUBLISH_INTERVAL_MS) return;
  if (isEnd) times.delete(id);
  else times.set(id, now);
  ctx.afterCommit(() => live.publish(aboutChannel(ctx.scope, 'import', id), id));
}

/**
 * The import as it is now, and again after every change; ends behind the state that it ends with. Changes
 * that come faster than they are read are one, and so is what an interruption swallowed.
 */
export function watchImport(ctx: Context, id: string): AsyncIterableIterator<Import> {
  const ids = liveIterator(ctx.services.live, aboutChannel(ctx.scope, 'import', id), {
    signal: ctx.signal,
    first: [id],
    missed: async () => [id],
  });
  let isEnded = false;
  const next = async (): Promise<IteratorResult<Import, undefined>> => {
    const step = isEnded ? DONE : await ids.next();
    const job = step.done ? null : await findImport(ctx, id);
    if (!job) {
      await ids.return?.();
      return DONE;
    }
    isEnded = job.finishedAt !== null;
    return { done: false, value: job };
  };
  return asyncIterator(next, async () => {
    await ids.return?.();
  });
}
