import { LRUCache } from 'lru-cache';
import { addMs, MINUTE_MS } from '../clock.ts';
import type { Context, Services } from '../context.ts';
import { whenAvailable } from '../operations/when-available.ts';
import { aboutChannel, type PublishedEvent } from '../outbox/events.ts';
import { liveIterator } from './live-iterator.ts';
import { mapIterator } from './map-iterator.ts';

/** How old events may be that are read after an interruption of the live events. */
const MISSED_AGE_MS = 2 * MINUTE_MS;
/** Ids of events remembered per watcher, so that none is read twice. */
const SEEN_MAX = 1_000;
const KEPT_MAX = 1_000;
const KEPT_MS = 10_000;

/**
 * Every event about one thing that is kept from this call on, each once, in the order in which live events
 * carry them: that is nearly the order of their commits. Events of the moment before may be among them; those
 * lost in an interruption of up to 2 minutes come after it, also where the interruption was between the
 * gateway and this process (`ctx.missedMs`): then some may come again. While the database is away it waits, a
 * minute at most.
 *
 * @param noun - as in payloads: `member` for `memberId`
 * @returns an iterator whose next read fails with SLOW_CONSUMER (429) when more than 1,000 events wait
 */
export function watchEvents(
  ctx: Context,
  noun: string,
  id: string,
): AsyncIterableIterator<PublishedEvent, undefined> {
  const startedAt = addMs(ctx.clock.now(), -ctx.missedMs);
  const seen = new Set<string>();
  const ids = liveIterator(ctx.services.live, aboutChannel(ctx.scope, noun, id), {
    signal: ctx.signal,
    isResumed: ctx.missedMs > 0,
    missed: () => whenAvailable(() => eventsSince(ctx, noun, id, startedAt), ctx.signal),
  });
  return mapIterator(ids, {
    async map(eventId) {
      if (seen.has(eventId)) return;
      const event = await whenAvailable(() => keptEvent(ctx, eventId), ctx.signal);
      seen.add(eventId);
      if (seen.size > SEEN_MAX) seen.delete(seen.values().next().value!);
      return event ?? undefined;
    },
  });
}

type Found = Promise<PublishedEvent | null>;
const kept = new WeakMap<Services['database'], LRUCache<string, Found>>();

/** Many watch the same thing, and an event never changes: it is read once for all of them. */
function keptEvent(ctx: Context, id: string): Found {
  const { workspaceId, mode } = ctx.scope;
  const { database } = ctx.services;
  const cache = kept.get(database) ?? new LRUCache<string, Found>({ max: KEPT_MAX, ttl: KEPT_MS });
  kept.set(database, cache);
  const key = `${workspaceId}:${mode}:${id}`;
  const found = cache.get(key) ?? findEvent(database, [workspaceId, mode, id]);
  cache.set(key, found);
  found.catch(() => cache.delete(key));
  return found;
}

/** Through the pool itself, because the first watcher may end before the others have their answer. */
async function findEvent({ sql }: Services['database'], params: readonly string[]): Found {
  const [row] = await sql.query<PublishedEvent>(
    `SELECT id, type, workspace_id AS "workspaceId", mode, payload, created_at AS "createdAt"
       FROM platform.outbox WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND id = $3`,
    params,
  );
  return row ?? null;
}

/** Ids of the newest events about a thing, oldest first; both halves of the condition have an index. */
async function eventsSince(ctx: Context, noun: string, id: string, startedAt: Date): Promise<string[]> {
  const { workspaceId, mode } = ctx.scope;
  const oldest = addMs(ctx.clock.now(), -MISSED_AGE_MS);
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT id FROM platform.outbox
      WHERE ((relayed_at IS NULL AND created_at >= $5) OR relayed_at >= $5)
        AND created_at >= $5 AND workspace_id = $1 AND mode = $2::platform."Mode" AND payload->>$3 = $4
      ORDER BY created_at, id LIMIT ${SEEN_MAX}`,
    [workspaceId, mode, `${noun}Id`, id, startedAt > oldest ? startedAt : oldest],
  );
  return rows.map((row) => row.id);
}
