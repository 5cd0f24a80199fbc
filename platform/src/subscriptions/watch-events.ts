import { LRUCache } from 'lru-cache';
import { addMs, type Clock, MINUTE_MS } from '../base/clock.ts';
import { mapIterator } from '../base/iterators.ts';
import type { Context, Services } from '../context.ts';
import { inScope } from '../database/scope-sql.ts';
import { whenAvailable } from '../database/when-available.ts';
import { type LiveIteratorOptions, liveIterator } from '../live/live-iterator.ts';
import { aboutChannel, type PublishedEvent, workspaceChannel } from '../work/events.ts';

/** Maximum age of the events that are read after an interruption of live events. */
const MISSED_AGE_MS = 2 * MINUTE_MS;
/** Event ids remembered per watcher, so that no event is delivered twice. */
const SEEN_MAX = 1_000;
/** Maximum of events per second that are read for a whole workspace. */
const EVENTS_PER_SECOND = 100;
const KEPT_MAX = 1_000;
const KEPT_MS = 10_000;

/**
 * Watches the events about one thing: every event that is committed after this call, each once, in the order
 * of live events, which is nearly the order of commits. Events of the previous moment may be included. Events
 * that were lost in an interruption of up to 2 minutes are delivered after it. If the interruption was
 * between the gateway and this process (`ctx.request.missedMs`), some of them may be repeated. While the
 * database is away, it waits for at most a minute.
 *
 * @param noun - as in payloads: `member` for `memberId`
 * @returns an iterator whose next read fails with SLOW_CONSUMER (429) when more than 1,000 events wait
 */
export function watchEvents(
  ctx: Context,
  noun: string,
  id: string,
): AsyncIterableIterator<PublishedEvent, undefined> {
  const missed = missedIds(ctx, { key: `${noun}Id`, id });
  return read(ctx, aboutChannel(ctx.scope, noun, id), { missed });
}

/** Watches every event of the caller's workspace and mode, like `watchEvents`. */
export const watchWorkspaceEvents = (ctx: Context): AsyncIterableIterator<PublishedEvent, undefined> =>
  read(ctx, workspaceChannel(ctx.scope), { missed: missedIds(ctx, null) });

/** An event in the stream of a whole workspace. */
export interface WorkspaceEvent extends PublishedEvent {
  /** Number of events, of any type, that were skipped since the previous one. */
  readonly leftOut: number;
}

/**
 * Watches the events of these types in the caller's workspace and mode, like `watchEvents`. To protect the
 * watcher of a busy workspace, only the first 100 events of each second, of all types, are read.
 *
 * @returns an iterator whose next read fails with SLOW_CONSUMER (429) when more than 1,000 events wait
 */
export function watchWorkspace(
  ctx: Context,
  types: ReadonlySet<string>,
): AsyncIterableIterator<WorkspaceEvent, undefined> {
  const rate = rateLimit(ctx.clock);
  const all = missedIds(ctx, null);
  const events = read(ctx, workspaceChannel(ctx.scope), {
    accepts: () => rate.accepts(),
    missed: async () => rate.newest(await all()),
  });
  return mapIterator(events, {
    map: async (event) => (types.has(event.type) ? { ...event, leftOut: rate.takeLeftOut() } : undefined),
  });
}

/** Passes 100 events per second and counts the others. */
function rateLimit(clock: Clock) {
  let second = 0;
  let passed = 0;
  let leftOut = 0;
  return {
    accepts(): boolean {
      const now = Math.floor(clock.now().getTime() / 1_000);
      if (now !== second) passed = 0;
      second = now;
      passed += 1;
      if (passed <= EVENTS_PER_SECOND) return true;
      leftOut += 1;
      return false;
    },
    /** Returns the newest of these ids, at most as many as pass in a second. */
    newest(ids: readonly string[]): readonly string[] {
      const kept = ids.slice(-EVENTS_PER_SECOND);
      leftOut += ids.length - kept.length;
      return kept;
    },
    takeLeftOut(): number {
      const taken = leftOut;
      leftOut = 0;
      return taken;
    },
  };
}

/** Reads the events whose ids arrive on a channel. */
function read(
  ctx: Context,
  channel: string,
  options: Pick<LiveIteratorOptions, 'accepts' | 'missed'>,
): AsyncIterableIterator<PublishedEvent, undefined> {
  const seen = new Set<string>();
  const isResumed = ctx.request.missedMs > 0;
  const ids = liveIterator(ctx.services.live, channel, { signal: ctx.request.signal, isResumed, ...options });
  return mapIterator(ids, {
    async map(eventId) {
      if (seen.has(eventId)) return;
      const event = await whenAvailable(() => keptEvent(ctx, eventId), ctx.request.signal);
      seen.add(eventId);
      if (seen.size > SEEN_MAX) seen.delete(seen.values().next().value!);
      return event ?? undefined;
    },
  });
}

type Found = Promise<PublishedEvent | null>;
const kept = new WeakMap<Services['database'], LRUCache<string, Found>>();

/** Many watchers share an event, and an event never changes, so it is read once for all of them. */
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

/** Uses the pool directly, because the first watcher may end before the others have their answer. */
async function findEvent({ sql }: Services['database'], params: readonly string[]): Found {
  const [row] = await sql.query<PublishedEvent>(
    `SELECT id, type, workspace_id, mode, payload, actor, created_at
       FROM platform.outbox WHERE ${inScope()} AND id = $3`,
    params,
  );
  return row ?? null;
}

/** A key in the payload, and its id. */
interface Named {
  readonly key: string;
  readonly id: string;
}

/** Returns a function that reads the ids of events that an interruption since now may have lost. */
function missedIds(ctx: Context, named: Named | null): () => Promise<readonly string[]> {
  const startedAt = addMs(ctx.clock.now(), -ctx.request.missedMs);
  return () => whenAvailable(() => eventsSince(ctx, named, startedAt), ctx.request.signal);
}

/** Returns ids of at most 1,000 events, oldest first; both halves of the condition have an index. */
async function eventsSince(ctx: Context, named: Named | null, startedAt: Date): Promise<string[]> {
  const { workspaceId, mode } = ctx.scope;
  const oldest = addMs(ctx.clock.now(), -MISSED_AGE_MS);
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT id FROM platform.outbox
      WHERE ((relayed_at IS NULL AND created_at >= $3) OR relayed_at >= $3)
        AND created_at >= $3 AND ${inScope()}
            ${named ? 'AND payload->>$4 = $5' : ''}
      ORDER BY created_at, id LIMIT ${SEEN_MAX}`,
    [workspaceId, mode, startedAt > oldest ? startedAt : oldest, ...(named ? [named.key, named.id] : [])],
  );
  return rows.map((row) => row.id);
}
