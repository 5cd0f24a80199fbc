import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { createContext } from './create-context.ts';
import { inRowQueue } from './row-queues.ts';

const { services, newContext } = useServices();

/** Calls that the test ends, and the order in which they began. */
function watched() {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const work = (number: number) => () => {
    begun.push(number);
    return new Promise<number>((resolve) => {
      ends.set(number, () => resolve(number));
    });
  };
  return { begun, work, end: (number: number) => ends.get(number)!() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('four calls for a row run at once, and the others begin in the order of their arrival', async () => {
  const { begun, work, end } = watched();
  const ctx = newContext();
  const calls = [1, 2, 3, 4, 5, 6].map((number) => inRowQueue(ctx, 'member:1', work(number)));
  await turn();
  expect(begun).toEqual([1, 2, 3, 4]);
  end(3);
  await turn();
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  end(1);
  await turn();
  for (const number of [2, 4, 5, 6]) end(number);
  expect(await Promise.all(calls)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('another row, another workspace or mode, and a call within a transaction do not wait', async () => {
  const { begun, work, end } = watched();
  const ctx = newContext();
  const full = [1, 2, 3, 4].map((number) => inRowQueue(ctx, 'member:1', work(number)));
  const others = [
    inRowQueue(ctx, 'member:2', work(5)),
    inRowQueue(newContext(), 'member:1', work(6)),
    ctx.transaction((tx) => inRowQueue(tx, 'member:1', work(7))),
    inRowQueue(newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' }), 'member:1', work(8)),
  ];
  await turn();
  expect(begun.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  for (const number of begun) end(number);
  await Promise.all([...full, ...others]);
});

test('a call that fails gives its place to the next one', async () => {
  const ctx = newContext();
  const fails = () => Promise.reject(new Error('on purpose'));
  const calls = Array.from({ length: 9 }, () => inRowQueue(ctx, 'member:1', fails));
  for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected');
  expect(await inRowQueue(ctx, 'member:1', async () => 'done')).toBe('done');
});

test('a call whose turn does not come in time is refused with 409 and never begins', async () => {
  const { begun, work, end } = watched();
  const { caller } = newContext();
  const late = createContext(services, { caller, requestId: 'test', deadlineAt: performance.now() + 30 });
  const full = [1, 2, 3, 4].map((number) => inRowQueue(late, 'member:1', work(number)));
  await expect(inRowQueue(late, 'member:1', work(5))).rejects.toMatchObject({
    category: 'CONFLICT',
    code: 'ROW_BUSY',
    details: { retryAfterSeconds: 1 },
  });
  for (const number of [1, 2, 3, 4]) end(number);
  await Promise.all(full);
  expect(begun).toEqual([1, 2, 3, 4]);
});
