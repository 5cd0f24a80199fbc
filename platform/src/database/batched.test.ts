import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import type { Context } from '../context.ts';
import { batched } from './batched.ts';

const { services, newContext } = useServices();

/** Resolves after the calls of this turn of the event loop were sent. */
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** A batched call that the test releases, and the batches that it received. */
function watched() {
  const groups: { ctx: Context; items: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  const call = batched(async (ctx, items: readonly number[]) => {
    const end = Promise.withResolvers<void>();
    groups.push({ ctx, items, end });
    await end.promise;
    return items.map((item) => item * 10);
  });
  return { call, groups, asked: () => groups.map(({ items }) => items) };
}

test('what is asked while one group runs waits and goes together, in the order in which it was asked', async () => {
  const { call, groups, asked } = watched();
  const ctx = newContext();
  const first = call(ctx, 1);
  await turn();
  const rest = [2, 3, 4].map((item) => call(ctx, item));
  expect(asked()).toEqual([[1]]);
  groups[0]!.end.resolve();
  expect(await first).toBe(10);
  await turn();
  expect(asked()).toEqual([[1], [2, 3, 4]]);
  groups[1]!.end.resolve();
  expect(await Promise.all(rest)).toEqual([20, 30, 40]);
});

test('never runs two groups of one workspace at once', async () => {
  let running = 0;
  let most = 0;
  const call = batched(async (_, items: readonly number[]) => {
    running += 1;
    most = Math.max(most, running);
    await services.database.sql.query('SELECT 1');
    running -= 1;
    return items;
  });
  const one = newContext();
  const numbers = Array.from({ length: 300 }, (_, index) => index);
  const answers = numbers.map(async (item) => {
    for (let wait = item % 7; wait > 0; wait -= 1) await services.database.sql.query('SELECT 1');
    return call(one, item);
  });
  expect(await Promise.all(answers)).toEqual(numbers);
  expect(most).toBe(1);
});

test('each workspace and each of its modes has groups of its own', async () => {
  const { call, groups, asked } = watched();
  const one = newContext();
  const sandbox = newContext({ workspaceId: one.scope.workspaceId, mode: 'TEST' });
  const scopes = [one, newContext(), sandbox];
  const calls = scopes.map((ctx, place) => call(ctx, place));
  await turn();
  expect(asked()).toEqual([[0], [1], [2]]);
  expect(groups.map(({ ctx }) => ctx.scope)).toEqual(scopes.map(({ scope }) => scope));
  for (const { end } of groups) end.resolve();
  await Promise.all(calls);
});

test('what is asked in one turn of the event loop goes together', async () => {
  const { call, groups, asked } = watched();
  const ctx = newContext();
  const calls = [1, 2, 3].map((item) => call(ctx, item));
  await turn();
  expect(asked()).toEqual([[1, 2, 3]]);
  groups[0]!.end.resolve();
  expect(await Promise.all(calls)).toEqual([10, 20, 30]);
});

test('a group that fails fails its own items and no others', async () => {
  const { call, groups } = watched();
  const ctx = newContext();
  const first = call(ctx, 1);
  await turn();
  const failing = Promise.allSettled([call(ctx, 2), call(ctx, 3)]);
  groups[0]!.end.resolve();
  await first;
  await turn();
  const last = call(ctx, 4);
  const error = new Error('on purpose');
  groups[1]!.end.reject(error);
  expect(await failing).toEqual([2, 3].map(() => ({ status: 'rejected', reason: error })));
  await turn();
  groups[2]!.end.resolve();
  expect(await last).toBe(40);
});

test('a group takes at most 250 items', async () => {
  const { call, groups, asked } = watched();
  const ctx = newContext();
  const calls = Array.from({ length: 600 }, (_, index) => call(ctx, index));
  for (let index = 0; index < 3; index += 1) {
    await turn();
    groups[index]!.end.resolve();
    await calls[index * 250];
  }
  expect(asked().map(({ length }) => length)).toEqual([250, 250, 100]);
  expect(asked().flat()).toEqual(calls.map((_, index) => index));
});

test('inside of a transaction and outside of it an item goes alone, whatever runs outside', async () => {
  const { call, groups } = watched();
  const ctx = newContext();
  const outside = call(ctx, 1);
  await turn();
  await ctx.transaction(async (tx) => {
    const inside = call(tx, 2);
    expect(groups[1]).toMatchObject({ items: [2] });
    expect(groups[1]!.ctx.sql).toBe(tx.sql);
    groups[1]!.end.resolve();
    expect(await inside).toBe(20);
    const outside = call(tx.outsideTransaction(), 3);
    expect(groups[2]).toMatchObject({ items: [3] });
    expect(groups[2]!.ctx.sql).toBe(services.database.outsideTransaction);
    groups[2]!.end.resolve();
    expect(await outside).toBe(30);
  });
  groups[0]!.end.resolve();
  await outside;
});

test('a caller that goes away does not end the group that others wait for', async () => {
  const gone = new AbortController();
  const { call, groups } = watched();
  const ctx = newContext();
  const leaving = { ...ctx, signal: gone.signal };
  const answer = call(leaving, 1);
  gone.abort();
  await turn();
  expect(groups[0]!.ctx.request.signal.aborted).toBe(false);
  groups[0]!.end.resolve();
  expect(await answer).toBe(10);
});
