/** @jest-environment node */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Scope, systemCaller } from '../base/caller.ts';
import type { Services } from '../context.ts';
import { createContext } from '../database/create-context.ts';
import { aboutChannel } from '../work/events.ts';
import { countedLive } from '../work/notes.fixture.ts';
import { ENDED } from './publish-progress.ts';
import { watchSnapshot } from './watch-snapshot.ts';

const workspaceId = '019cadfd-8900-713f-9842-bfb3da1c5e4a';
const scope = { workspaceId, mode: 'LIVE' } as const;
const channel = aboutChannel(scope, 'note', '1');
const READ_MS = 20;

interface Note {
  readonly version: number;
  readonly isEnded: boolean;
}

/** A note whose read takes 20 ms, and its watchers; no database is involved. */
function createNote() {
  const live = countedLive();
  const database = { cancellable: () => ({}) };
  const services = { live, database } as unknown as Services;
  let note: Note | null = { version: 0, isEnded: false };
  let reading = 0;
  let failure: Error | null = null;
  const state = { live, reads: 0, mostAtOnce: 0, version: () => note?.version ?? Number.NaN };
  async function read(): Promise<Note | null> {
    state.reads += 1;
    reading += 1;
    state.mostAtOnce = Math.max(state.mostAtOnce, reading);
    const found = note;
    await new Promise((resolve) => setTimeout(resolve, READ_MS));
    reading -= 1;
    if (failure) throw failure;
    return found;
  }
  const change = (changed: Note | null, message = 'changed') => {
    note = changed;
    live.deliver(channel, message);
  };
  return Object.assign(state, {
    watch: (signal?: AbortSignal, of: Scope = scope) =>
      watchSnapshot<Note>(
        createContext(services, {
          caller: systemCaller('test', of),
          requestId: 'test',
          ...(signal && { signal }),
        }),
        { noun: 'note', id: '1', read, isEnded: ({ isEnded }) => isEnded },
      ),
    write: () => change({ version: (note?.version ?? 0) + 1, isEnded: false }),
    end: () => change({ version: (note?.version ?? 0) + 1, isEnded: true }, ENDED),
    remove: () => change(null),
    fail: (error: Error | null) => {
      failure = error;
    },
  });
}

/** Collects all values in order. */
function collect(watched: AsyncIterable<Note>) {
  const taken: Note[] = [];
  const ended = (async () => {
    for await (const each of watched) taken.push(each);
    return 'ended';
  })().catch((error: Error) => error.message);
  return { taken, ended };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('watchers share one subscription and one read for each change', async () => {
  const note = createNote();
  const all = Array.from({ length: 200 }, () => collect(note.watch()));
  await pass(READ_MS + 1);
  expect([note.reads, note.live.listeners]).toEqual([1, 2]);
  await pass(250);
  note.write();
  await pass(READ_MS + 1);
  expect(note.reads).toBe(2);
  note.end();
  await pass(READ_MS + 1);
  expect(note.reads).toBe(3);
  expect(new Set(all.map(({ taken }) => JSON.stringify(taken.map(({ version }) => version))))).toEqual(
    new Set(['[0,1,2]']),
  );
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(all.map(() => 'ended'));
  expect(note.live.listeners).toBe(0);
});

test('changes are read four times a second, the end at once', async () => {
  const note = createNote();
  const { taken, ended } = collect(note.watch());
  await pass(READ_MS + 1);
  for (let n = 0; n < 100; n += 1) {
    note.write();
    await pass(10);
  }
  expect(note.reads).toBe(5);
  note.end();
  await pass(READ_MS + 1);
  expect(await ended).toBe('ended');
  expect(taken.at(-1)).toEqual({ version: 101, isEnded: true });
});

test('who takes slowly gets the newest, and the end', async () => {
  const note = createNote();
  const slow = note.watch();
  const quick = collect(note.watch());
  for (let n = 0; n < 8; n += 1) {
    await pass(250);
    note.write();
  }
  await pass(250);
  expect((await slow.next()).value?.version).toBe(8);
  expect(quick.taken.length).toBe(9);
  note.write();
  await pass(300);
  note.end();
  await pass(READ_MS + 1);
  expect(await slow.next()).toEqual({ done: false, value: { version: 10, isEnded: true } });
  expect(await slow.next()).toEqual({ done: true, value: undefined });
});

test('an interruption of the live events is read like a change', async () => {
  const note = createNote();
  const { taken } = collect(note.watch());
  await pass(300);
  note.live.gap();
  await pass(READ_MS + 1);
  expect(taken.length).toBe(2);
});

test('what is gone ends', async () => {
  const note = createNote();
  const { taken, ended } = collect(note.watch());
  await pass(300);
  note.remove();
  await pass(READ_MS + 1);
  expect([await ended, taken.length]).toEqual(['ended', 1]);
});

test('a failure reaches everybody, and the next watcher reads anew', async () => {
  const note = createNote();
  const all = [collect(note.watch()), collect(note.watch())];
  note.fail(new Error('broken'));
  await pass(READ_MS + 1);
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(['broken', 'broken']);
  expect(note.live.listeners).toBe(0);
  note.fail(null);
  const next = note.watch();
  await pass(READ_MS + 1);
  expect(await next.next()).toEqual({ done: false, value: { version: 0, isEnded: false } });
});

test('the reader ends with its last watcher, also during a read', async () => {
  const note = createNote();
  const controller = new AbortController();
  const [first, second] = [note.watch(controller.signal), note.watch()];
  await pass(1);
  await second.return!();
  controller.abort();
  expect(await first.next()).toEqual({ done: true, value: undefined });
  expect(note.live.listeners).toBe(0);
  await pass(1_000);
  expect(note.reads).toBe(1);
});

test('who comes while the end is read sees what has begun again', async () => {
  const note = createNote();
  const first = collect(note.watch());
  await pass(300);
  note.end();
  await pass(READ_MS / 2);
  note.write();
  const second = collect(note.watch());
  await pass(READ_MS + 1);
  expect(await first.ended).toBe('ended');
  await pass(300);
  expect(second.taken.map(({ isEnded }) => isEnded)).toEqual([false]);
});

test('whatever happens, values are in order, none is older than its watcher, and the end is not lost', async () => {
  const step = fc.oneof(
    fc.constant('write' as const),
    fc.constant('join' as const),
    fc.constant('leave' as const),
    fc.integer({ min: 1, max: 400 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const note = createNote();
      const open: { since: number; watched: AsyncIterator<Note>; seen: ReturnType<typeof collect> }[] = [];
      const left: typeof open = [];
      const startedAt = performance.now();
      for (const each of steps) {
        if (typeof each === 'number') await pass(each);
        else if (each === 'write') note.write();
        else if (each === 'leave') left.push(...open.splice(0, 1));
        else {
          const watched = note.watch();
          open.push({ since: note.version(), watched, seen: collect(watched) });
        }
        for (const { watched } of left) await watched.return!();
      }
      const throttled = 1 + Math.ceil((performance.now() - startedAt) / 250);
      const { reads } = note;
      note.end();
      await pass(300);
      for (const { since, seen } of [...open, ...left]) {
        const versions = seen.taken.map(({ version }) => version);
        expect(versions).toEqual([...versions].sort((a, b) => a - b));
        if (versions.length > 0) expect(versions[0]).toBeGreaterThanOrEqual(since);
        expect(await seen.ended).toBe('ended');
      }
      for (const { seen } of open) expect(seen.taken.at(-1)).toMatchObject({ isEnded: true });
      expect(note.mostAtOnce).toBeLessThanOrEqual(1 + left.length);
      // Readers without watchers ended, and new ones began.
      expect(reads).toBeLessThanOrEqual(throttled + left.length);
      expect(note.live.listeners).toBe(0);
    }),
    { numRuns: 100 },
  );
});

test.each([
  ['another workspace', { ...scope, workspaceId: '019cadfd-8900-713f-9842-bfb3da1c5e4b' }],
  ['the other mode', { ...scope, mode: 'TEST' as const }],
])('a watcher of %s has a read of its own, and no change of this one', async (_, other) => {
  const note = createNote();
  const [own, foreign] = [collect(note.watch()), collect(note.watch(undefined, other))];
  await pass(READ_MS);
  expect(note.reads).toBe(2);
  note.write();
  await pass(1_000);
  expect([own, foreign].map(({ taken }) => taken.map(({ version }) => version))).toEqual([[0, 1], [0]]);
});
