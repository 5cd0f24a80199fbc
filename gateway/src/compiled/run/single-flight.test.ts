import { expect, test } from '@jest/globals';
import { anonymous, systemCaller } from '@loyalty/platform/caller/caller';
import type { Answer } from './answer.ts';
import type { CompiledOperation } from './compiled-operation.ts';
import { createFlights } from './single-flight.ts';

const operation = {} as CompiledOperation;
const asked = { operation, variables: { id: 1 }, from: { caller: anonymous, requestId: 'r' } };

/** A query that lands when it is told to. */
function query(data: Answer['data'] = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const signals: AbortSignal[] = [];
  const run = (signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  };
  return { run, signals, land: () => resolve({ data }), crash: () => reject(new Error('crash')) };
}

test('who asks for the same while it is under way shares one answer', async () => {
  const flights = createFlights();
  const { run, signals, land } = query();
  const both = [flights.join(asked, run), flights.join({ ...asked, variables: { id: 1 } }, run)];
  land();
  const [first, second] = await Promise.all(both);
  expect(signals).toHaveLength(1);
  expect(first).toBe(second);
});

test.each([
  ['other variables', { ...asked, variables: { id: 2 } }],
  ['another operation', { ...asked, operation: {} as CompiledOperation }],
  ['another caller', { ...asked, from: { caller: systemCaller('other'), requestId: 'r' } }],
])('%s are another query', async (_, other) => {
  const flights = createFlights();
  const { run, signals, land } = query();
  const both = [flights.join(asked, run), flights.join(other, run)];
  land();
  await Promise.all(both);
  expect(signals).toHaveLength(2);
});

test('an answer is for those who waited: who comes later asks anew', async () => {
  const flights = createFlights();
  const { run, signals, land } = query();
  land();
  await flights.join(asked, run);
  await flights.join(asked, run);
  expect(signals).toHaveLength(2);
});

test('a query that fails is not kept', async () => {
  const flights = createFlights();
  const failing = query();
  failing.crash();
  await expect(flights.join(asked, failing.run)).rejects.toThrow('crash');
  const { run, land } = query({ fine: true });
  land();
  expect(await flights.join(asked, run)).toEqual({ data: { fine: true } });
});

test('nobody joins a query from before a write, neither during the write nor after it', async () => {
  const flights = createFlights();
  const [before, during, after, write] = [query({ n: 1 }), query({ n: 2 }), query({ n: 3 }), query()];
  const first = flights.join(asked, before.run);
  const written = flights.write(() => write.run(new AbortController().signal));
  const second = flights.join(asked, during.run);
  write.land();
  await written;
  const third = flights.join(asked, after.run);
  for (const each of [before, during, after]) each.land();
  expect(await Promise.all([first, second, third])).toEqual([1, 2, 3].map((n) => ({ data: { n } })));
});

test('a write that fails counts as one', async () => {
  const flights = createFlights();
  const [before, after] = [query({ n: 1 }), query({ n: 2 })];
  const first = flights.join(asked, before.run);
  await expect(flights.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const second = flights.join(asked, after.run);
  before.land();
  after.land();
  expect(await Promise.all([first, second])).toEqual([{ data: { n: 1 } }, { data: { n: 2 } }]);
});

test('the work stops only when everybody has gone, and is joined by nobody then', async () => {
  const flights = createFlights();
  const { run, signals, land } = query();
  const [one, two] = [new AbortController(), new AbortController()];
  const gone = ({ signal }: AbortController) => ({ ...asked, from: { ...asked.from, signal } });
  const both = [flights.join(gone(one), run), flights.join(gone(two), run)];
  one.abort();
  expect(signals[0]!.aborted).toBe(false);
  two.abort();
  expect(signals[0]!.aborted).toBe(true);
  const later = flights.join(asked, run);
  expect(signals).toHaveLength(2);
  expect(signals[1]!.aborted).toBe(false);
  land();
  await Promise.all([...both, later]);
});

test('who has gone before he asks leaves nothing running', async () => {
  const flights = createFlights();
  const { run, signals, land } = query();
  const from = { ...asked.from, signal: AbortSignal.abort() };
  const answer = flights.join({ ...asked, from }, run);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  land();
  await answer;
});
