import { beforeAll, describe, expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import type { Context } from '../context.ts';
import { createContext, deadlineIn } from './create-context.ts';

const { services, newContext } = useServices({
  timeouts: { lockTimeoutMs: 60_000, statementTimeoutMs: 60_000 },
});

beforeAll(async () => {
  await services.database.sql.query(
    'CREATE TABLE public.counters (name text PRIMARY KEY, value int NOT NULL)',
  );
  await services.database.sql.query(`INSERT INTO public.counters VALUES ('a', 0), ('b', 0)`);
});

const add = (tx: Context, name: string) =>
  tx.sql.query('UPDATE public.counters SET value = value + 1 WHERE name = $1', [name]);

/** A request with this time limit. */
const requestOf = (timeoutMs: number) =>
  createContext(services, {
    caller: newContext().caller,
    requestId: 'test',
    deadlineAt: deadlineIn(timeoutMs),
  });

/**
 * Runs two transactions that each change first the row that the other one changes second. Returns how often
 * both have begun.
 */
async function crossed(one: Context, other: Context) {
  const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const acts: string[] = [];
  let begun = 0;
  const run = (ctx: Context, [first, second]: readonly [string, string], place: 0 | 1) =>
    ctx.transaction(async (tx) => {
      begun += 1;
      await add(tx, first);
      tx.afterCommit(async () => void acts.push(first));
      both[place].resolve();
      await both[place ? 0 : 1].promise;
      await add(tx, second);
    });
  const outcomes = await Promise.allSettled([run(one, ['a', 'b'], 0), run(other, ['b', 'a'], 1)]);
  return { statuses: outcomes.map(({ status }) => status), begun, acts };
}

const values = async () =>
  (
    await services.database.sql.query<{ value: number }>('SELECT value FROM public.counters ORDER BY name')
  ).map(({ value }) => value);

describe('two transactions that wait for each other', () => {
  test('are both kept in requests: the one that PostgreSQL rolled back is run again, with its acts once', async () => {
    await services.database.sql.query('UPDATE public.counters SET value = 0');
    const { statuses, begun, acts } = await crossed(requestOf(60_000), requestOf(60_000));
    expect(statuses).toEqual(['fulfilled', 'fulfilled']);
    // On a busy machine, the victim may take its first row again before the other transaction continues.
    expect(begun).toBeGreaterThanOrEqual(3);
    expect(acts.toSorted()).toEqual(['a', 'b']);
    expect(await values()).toEqual([2, 2]);
  });

  test('are not repeated where the time is over', async () => {
    await services.database.sql.query('UPDATE public.counters SET value = 0');
    const { statuses, begun } = await crossed(newContext(), newContext());
    expect(statuses.toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(begun).toBe(2);
    expect(await values()).toEqual([1, 1]);
  });
});

test('a wait for a row ends with the time of its request, although the lock time-out is longer', async () => {
  const holding = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const owner = newContext().transaction(async (tx) => {
    await add(tx, 'a');
    held.resolve();
    await holding.promise;
  });
  await held.promise;
  services.statements.length = 0;
  await expect(requestOf(100).transaction((tx) => add(tx, 'a'))).rejects.toMatchObject({ code: '55P03' });
  expect(services.statements).toContainEqual(expect.stringMatching(/^SET LOCAL lock_timeout = \d{1,2}$/));
  holding.resolve();
  await owner;
});
