import { addMs, SECOND_MS } from '@loyalty/platform/base/clock';
import { firstIdAt } from '@loyalty/platform/base/ids';
import { flatIterator, mapIterator } from '@loyalty/platform/base/iterators';
import type { Context } from '@loyalty/platform/context';
import { whenAvailable } from '@loyalty/platform/database/when-available';
import { liveIterator } from '@loyalty/platform/live/live-iterator';
import { actorOf, callsChannel } from './call-log.events.ts';
import { callsSince, type LoggedCall } from './call-log.store.ts';

/** The most calls of one read; the newest. */
const CALLS_MAX = 100;
/**
 * A statement may end this long after a later one, in ms: each read overlaps the previous one, so that no
 * calls are missed.
 */
const OVERLAP_MS = 5 * SECOND_MS;

/**
 * Yields calls of the workspace's credentials as any process writes them from now on, each once. Calls that
 * were written during an interruption of the live events follow after it.
 *
 * @param apiKeyId - only calls with this key
 * @remarks Source: v2 REST API, section 5.5
 */
export function watchCalls(ctx: Context, apiKeyId: string | null): AsyncIterableIterator<LoggedCall> {
  const { workspaceId } = ctx.scope;
  const actor = apiKeyId ? actorOf(apiKeyId) : null;
  const startedAt = addMs(ctx.clock.now(), -ctx.request.missedMs);
  let readAt = startedAt;
  let seen: ReadonlySet<string> = new Set();
  const written = liveIterator(ctx.services.live, callsChannel(workspaceId), {
    signal: ctx.request.signal,
    missed: async () => [workspaceId],
    isResumed: ctx.request.missedMs > 0,
  });
  const lists = mapIterator(written, {
    async map() {
      const since = new Date(Math.max(startedAt.getTime(), readAt.getTime() - OVERLAP_MS));
      readAt = ctx.clock.now();
      const wanted = { actor, sinceId: firstIdAt(since), limit: CALLS_MAX };
      const found = await whenAvailable(() => callsSince(ctx, wanted), ctx.request.signal);
      const fresh = found.filter(({ id }) => !seen.has(id));
      seen = new Set(found.map(({ id }) => id));
      return fresh;
    },
  });
  return flatIterator(lists);
}
