import type { Context } from '../context.ts';
import { asyncIterator, DONE } from '../live/async-iterator.ts';
import { liveIterator } from '../live/live-iterator.ts';
import { throttled } from '../live/throttled.ts';
import { aboutChannel } from '../outbox/events.ts';
import { findImport, type Import } from './imports.store.ts';

/** How often watchers of one import are notified at most. */
const PUBLISH_INTERVAL_MS = 500;

const channelOf = ({ scope }: Context, id: string): string => aboutChannel(scope, 'import', id);

/** Watchers read the import again, whatever the message is. */
const MESSAGE = 'changed';

const notify = throttled(PUBLISH_INTERVAL_MS, ({ live }, channel) => live.publish(channel, MESSAGE));

/** Notifies watchers that the numbers changed, after the commit and twice a second at most. */
export const publishProgress = (ctx: Context, id: string): void =>
  ctx.afterCommit(() => notify(ctx.services, channelOf(ctx, id)));

/** Notifies watchers that the import has ended, as soon as that is committed. */
export const publishEnd = (ctx: Context, id: string): void =>
  ctx.afterCommit(() => ctx.services.live.publish(channelOf(ctx, id), MESSAGE));

/**
 * The import as it is now, and again after every change, until it has ended. Changes that come faster than
 * they are read are one, and so are those that an interrupted connection missed.
 */
export function watchImport(ctx: Context, id: string): AsyncIterableIterator<Import> {
  const changes = liveIterator(ctx.services.live, channelOf(ctx, id), {
    signal: ctx.signal,
    first: [MESSAGE],
    missed: async () => [MESSAGE],
  });
  let isEnded = false;
  const next = async (): Promise<IteratorResult<Import, undefined>> => {
    const step = isEnded ? DONE : await changes.next();
    const job = step.done ? null : await findImport(ctx, id);
    if (!job) {
      await changes.return?.();
      return DONE;
    }
    isEnded = job.finishedAt !== null;
    return { done: false, value: job };
  };
  return asyncIterator(next, async () => {
    await changes.return?.();
  });
}
