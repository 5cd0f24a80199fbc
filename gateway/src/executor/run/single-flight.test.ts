import { expect, test } from '@jest/globals';
import { anonymous, systemCaller } from '@loyalty/platform/base/caller';
import type { Answer } from './answer.ts';
import type { CompiledOperation } from './compiled-operation.ts';
import { createSingleFlight } from './single-flight.ts';

const operation = {} as CompiledOperation;
const asked = { operation, variables: { id: 1 }, from: { caller: anonymous, requestId: 'r' } };

/** A query that is answered when the test calls `finish`. */
function query(data: Answer['data'] = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const signals: AbortSignal[] = [];
  const run = (signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  };
  return { run, signals, finish: () => resolve({ data }), crash: () => reject(new Error('crash')) };
}

test('equal queries that run at the same time share one answer', async () => {
  const shared = createSingleFlight();
  const { run, signals, finish } = query();
  const both = [shared.share(asked, run), shared.share({ ...asked, variables: { id: 1 } }, run)];
  finish();
  const [first, second] = await Promise.all(both);
  expect(signals).toHaveLength(1);
  expect(first).toBe(second);
});

test.each([
  ['other variables', { ...asked, variables: { id: 2 } }],
  ['another operation', { ...asked, operation: {} as CompiledOperation }],
  ['requests with a privacy signal', { ...asked, from: { ...asked.from, hasPrivacySignal: true } }],
  ['another caller', { ...asked, from: { caller: systemCaller('other'), requestId: 'r' } }],
])('%s are another query', async (_, other) => {
  const shared = createSingleFlight();
  const { run, signals, finish } = query();
  const both = [shared.share(asked, run), shared.share(other, run)];
  finish();
  await Promise.all(both);
  expect(signals).toHaveLength(2);
});

test('an answer is for those who waited: a later query runs anew', async () => {
  const shared = createSingleFlight();
  const { run, signals, finish } = query();
  finish();
  await shared.share(asked, run);
  await shared.share(asked, run);
  expect(signals).toHaveLength(2);
});

test('a query that fails is not kept', async () => {
  const shared = createSingleFlight();
  const failing = query();
  failing.crash();
  await expect(shared.share(asked, failing.run)).rejects.toThrow('crash');
  const { run, finish } = query({ fine: true });
  finish();
  expect(await shared.share(asked, run)).toEqual({ data: { fine: true } });
});

test('no query shares one from before a write, neither during the write nor after it', async () => {
  const shared = createSingleFlight();
  const [before, during, after, write] = [query({ n: 1 }), query({ n: 2 }), query({ n: 3 }), query()];
  const first = shared.share(asked, before.run);
  const written = shared.write(() => write.run(new AbortController().signal));
  const second = shared.share(asked, during.run);
  write.finish();
  await written;
  const third = shared.share(asked, after.run);
  for (const each of [before, during, after]) each.finish();
  expect(await Promise.all([first, second, third])).toEqual([1, 2, 3].map((n) => ({ data: { n } })));
});

test('a write that fails counts as one', async () => {
  const shared = createSingleFlight();
  const [before, after] = [query({ n: 1 }), query({ n: 2 })];
  const first = shared.share(asked, before.run);
  await expect(shared.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const second = shared.share(asked, after.run);
  before.finish();
  after.finish();
  expect(await Promise.all([first, second])).toEqual([{ data: { n: 1 } }, { data: { n: 2 } }]);
});

test('a query is cancelled only when all its clients have gone, and is shared by nobody then', async () => {
  const shared = createSingleFlight();
  const { run, signals, finish } = query();
  const [one, two] = [new AbortController(), new AbortController()];
  const gone = ({ signal }: AbortController) => ({ ...asked, from: { ...asked.from, signal } });
  const both = [shared.share(gone(one), run), shared.share(gone(two), run)];
  one.abort();
  expect(signals[0]!.aborted).toBe(false);
  two.abort();
  expect(signals[0]!.aborted).toBe(true);
  const later = shared.share(asked, run);
  expect(signals).toHaveLength(2);
  expect(signals[1]!.aborted).toBe(false);
  finish();
  await Promise.all([...both, later]);
});

test('a client that has gone before it asks leaves nothing running', async () => {
  const shared = createSingleFlight();
  const { run, signals, finish } = query();
  const from = { ...asked.from, signal: AbortSignal.abort() };
  const answer = shared.share({ ...asked, from }, run);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  finish();
  await answer;
});
