import { addMs, DAY_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import { invalid } from '@loyalty/platform/base/errors';
import { firstIdAt } from '@loyalty/platform/base/ids';
import { type PushIterator, pushIterator } from '@loyalty/platform/base/iterators';
import type { Context } from '@loyalty/platform/context';
import { midnight } from '@loyalty/platform/database/day-partitions';
import { whenAvailable } from '@loyalty/platform/database/when-available';
import { trackingChannel } from './tracked-events.service.ts';
import { receivedSince, type ShownEvent, type StoredEvent } from './tracked-events.store.ts';

/** Minimum interval between two reads of a watcher, and maximum number of events per read: 20 a second. */
const READ_MS = 500;
const SHOWN_MAX = 10;
/** Maximum number of events that one read examines. */
const READ_MAX = 500;
/** Time range that is read again, because a transaction may commit this long after a later one. */
const OVERLAP_MS = 2 * SECOND_MS;

interface Wanted {
  readonly event: string | null;
  readonly sampleRate: number;
}

/**
 * Watches the events that any process receives. If there are many, only a sample is sent.
 *
 * @throws AppError VALIDATION_FAILED (400) naming sampleRate
 */
export async function watchTracking(
  ctx: Context,
  wanted: Wanted,
): Promise<AsyncIterableIterator<ShownEvent>> {
  const { sampleRate } = wanted;
  if (!(sampleRate > 0 && sampleRate <= 1)) throw invalid('sampleRate', 'must be above 0 and at most 1');
  const { live } = ctx.services;
  const ended = new AbortController();
  const shown = pushIterator<ShownEvent>({ max: READ_MAX, onEnd: () => ended.abort() });
  const read = await readerOf(ctx, wanted, shown);
  const reading = throttled(read, (error) => shown.fail(error), ended.signal);
  const unsubscribe = live.subscribe(trackingChannel(ctx.scope), reading);
  const offGap = live.onGap(reading);
  const end = () => shown.end();
  ended.signal.addEventListener('abort', () => {
    unsubscribe();
    offGap();
    ctx.request.signal.removeEventListener('abort', end);
  });
  ctx.request.signal.addEventListener('abort', end, { once: true });
  if (ctx.request.signal.aborted) end();
  return shown;
}

/** Returns a function that reads new events and sends a sample of them. */
async function readerOf(ctx: Context, { event, sampleRate }: Wanted, to: PushIterator<ShownEvent>) {
  const startedAt = addMs(ctx.clock.now(), -ctx.request.missedMs);
  let latest = startedAt;
  let skipped = 0;
  const readLatest = async (): Promise<StoredEvent[]> => {
    const since = new Date(Math.max(startedAt.getTime(), latest.getTime() - OVERLAP_MS));
    const fromId = firstIdAt(addMs(midnight(since), -DAY_MS));
    return whenAvailable(
      () => receivedSince(ctx, { since, fromId, event, limit: READ_MAX }),
      ctx.request.signal,
    );
  };
  // Events that were received in the current millisecond are not new.
  let seen = new Set(ctx.request.missedMs > 0 ? [] : (await readLatest()).map(({ id }) => id));
  return async () => {
    const found = await readLatest();
    const fresh = found.filter(({ id }) => !seen.has(id));
    seen = new Set(found.map(({ id }) => id));
    latest = found.at(-1)?.receivedAt ?? latest;
    const sampled = sampleOf(fresh.filter(({ id }) => isSampled(id, sampleRate)));
    skipped += fresh.length - sampled.length;
    for (const stored of sampled) {
      to.push({ ...stored, skipped });
      skipped = 0;
    }
  };
}

/** Decided by the hash in the id, so that all watchers get the same sample. */
const isSampled = (id: string, rate: number): boolean => Number.parseInt(id.slice(-8), 16) < rate * 2 ** 32;

/** Returns at most SHOWN_MAX events, evenly distributed over the list. */
const sampleOf = (events: readonly StoredEvent[]): readonly StoredEvent[] =>
  events.length <= SHOWN_MAX
    ? events
    : Array.from(
        { length: SHOWN_MAX },
        (_, place) => events[Math.floor((place * events.length) / SHOWN_MAX)]!,
      );

/**
 * Returns a function that requests the work. The work runs one at a time, at most once per interval, and not
 * after the end.
 */
function throttled(
  work: () => Promise<void>,
  failed: (error: Error) => void,
  ended: AbortSignal,
): () => void {
  let isWaiting = false;
  let isAsked = false;
  async function run(): Promise<void> {
    isWaiting = true;
    isAsked = false;
    await work().catch(failed);
    setTimeout(() => {
      isWaiting = false;
      if (isAsked && !ended.aborted) void run();
    }, READ_MS).unref();
  }
  return () => {
    isAsked = true;
    if (!isWaiting && !ended.aborted) void run();
  };
}
