import { getEventListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import { type PushIterator, pushIterator } from '@loyalty/platform/base/iterators';
import { areSnapshots, asSnapshots } from '@loyalty/platform/subscriptions/snapshots';
import { callerOf } from '@loyalty/test/harness/services';
import type { ExecutionResult } from 'graphql';
import { shareSnapshots } from './snapshot-sharing.ts';
import type { Results } from './transport.ts';

const request = { query: 'subscription { job { processed } }' };
const done = { done: true, value: undefined };
const owner = callerOf();

/** A subgraph whose subscriptions receive events from the test. */
function createSource(kind: 'snapshots' | 'events' | 'refusal') {
  const opened: PushIterator<ExecutionResult>[] = [];
  const signals: AbortSignal[] = [];
  let ended = 0;
  const sharing = shareSnapshots(async (_, { signal }) => {
    signals.push(signal!);
    if (kind === 'refusal') return { errors: [] };
    const results = pushIterator<ExecutionResult>({ max: 10, onEnd: () => (ended += 1) });
    opened.push(results);
    return kind === 'snapshots' ? asSnapshots(results) : results;
  });
  return {
    sharing,
    opened,
    signals,
    ended: () => ended,
    interrupt: sharing.interrupt,
    async watch(caller: Caller = owner, signal?: AbortSignal): Promise<Results> {
      const answer = await sharing.subscribe(request, { caller, requestId: 'r', ...(signal && { signal }) });
      return answer as Results;
    },
  };
}

const processed = (count: number): ExecutionResult => ({ data: { job: { processed: count } } });
const value = (count: number) => ({ done: false, value: processed(count) });
const delivered = () => new Promise((resolve) => setImmediate(resolve));

test('equal subscriptions of one caller share one, and who comes late begins with the newest', async () => {
  const source = createSource('snapshots');
  const [first, second] = await Promise.all([source.watch(), source.watch({ ...owner })]);
  source.opened[0]!.push(processed(1));
  const results = [await first.next(), await second.next()];
  expect(results).toEqual([value(1), value(1)]);
  expect(results[0]!.value).toBe(results[1]!.value);
  const late = await source.watch();
  expect(await late.next()).toEqual(value(1));
  expect([source.opened.length, [first, late].every(areSnapshots)]).toEqual([1, true]);
});

test.each([
  ['scopes', { scopes: ['members:read'] }],
  ['workspace', { workspaceId: callerOf().workspaceId }],
  ['mode', { mode: 'TEST' as const }],
])('a caller of another %s has a subscription of its own', async (_, more) => {
  const source = createSource('snapshots');
  await Promise.all([source.watch(), source.watch({ ...owner, ...more })]);
  expect(source.opened).toHaveLength(2);
});

test('another document and other variables are another subscription', async () => {
  const { sharing, opened } = createSource('snapshots');
  const asked = [request, { query: 'subscription { job { total } }' }, { ...request, variables: { id: 1 } }];
  await Promise.all(asked.map((each) => sharing.subscribe(each, { caller: owner, requestId: 'r' })));
  expect(opened).toHaveLength(3);
});

test('who reads slowly gets the newest, and everybody the end', async () => {
  const source = createSource('snapshots');
  const [slow, quick] = [await source.watch(), await source.watch()];
  for (const count of [1, 2, 3]) {
    source.opened[0]!.push(processed(count));
    expect(await quick.next()).toEqual(value(count));
  }
  source.opened[0]!.end();
  await delivered();
  expect([await slow.next(), await slow.next(), await quick.next()]).toEqual([value(3), done, done]);
  await source.watch();
  expect(source.opened).toHaveLength(2);
});

test('it ends with its last reader, whichever way that leaves', async () => {
  const source = createSource('snapshots');
  const controller = new AbortController();
  const [first, second] = [await source.watch(owner, controller.signal), await source.watch()];
  controller.abort();
  expect([await first.next(), source.ended()]).toEqual([done, 0]);
  await second.return!();
  expect(source.ended()).toBe(1);
});

test('after an interruption nobody is given an old result', async () => {
  const source = createSource('snapshots');
  const first = await source.watch();
  source.opened[0]!.push(processed(1));
  await first.next();
  source.interrupt();
  const second = await source.watch();
  source.opened[1]!.push(processed(2));
  expect(await second.next()).toEqual(value(2));
  source.opened[0]!.push(processed(2));
  expect(await first.next()).toEqual(value(2));
});

test.each(['events', 'refusal'] as const)('%s are passed on to each by itself', async (kind) => {
  const source = createSource(kind);
  const answers = await Promise.all([source.watch(), source.watch()]);
  expect(answers[0]).not.toBe(answers[1]);
  expect(answers.some(areSnapshots)).toBe(false);
  expect(source.opened).toHaveLength(kind === 'events' ? 2 : 0);
});

test('events end with the signal of their subscriber, and leave nothing on it', async () => {
  const source = createSource('events');
  const { signal } = new AbortController();
  const left = await source.watch(owner, signal);
  await left.return!();
  expect([source.ended(), getEventListeners(signal, 'abort').length]).toEqual([1, 0]);
  const controller = new AbortController();
  await source.watch(owner, controller.signal);
  controller.abort();
  expect(source.signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});
