import { setImmediate } from 'node:timers/promises';
import type { Database } from '@loyalty/prisma/client';
import type { Context } from '../context.ts';
import { createContext } from '../caller/create-context.ts';

/** Items that one call takes at most. */
const GROUP_MAX = 250;

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (outcome: O) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes many small writes of one workspace cheap: while one call of `run` is on its way for a workspace and
 * mode, what is asked meanwhile waits and goes together as the next one, in the order in which it was asked.
 * Nobody waits for company that has not come. Inside of a transaction, and aside of one, an item goes alone
 * over its context's connection. It is this process only that is spared: what must hold, `run` must say in
 * SQL.
 *
 * @param run - one statement for all items, at most 250; returns an outcome for each, in their order. Where
 *   it fails, each of its items fails with that error, so it may have written nothing. Its context is
 *   nobody's request: no signal ends it, and it acts for the first of the callers.
 */
export function batched<I, O>(
  run: (ctx: Context, items: readonly I[]) => Promise<readonly O[]>,
): (ctx: Context, item: I) => Promise<O> {
  const queues = new WeakMap<Database, Map<string, Waiting<I, O>[]>>();

  async function runGroup(ctx: Context, group: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const { services, caller, requestId } = ctx;
      const outcomes = await run(
        createContext(services, { caller, requestId }),
        group.map(({ item }) => item),
      );
      for (const [index, { resolve }] of group.entries()) resolve(outcomes[index]!);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function empty(ctx: Context, queue: Waiting<I, O>[], whenEmpty: () => void): Promise<void> {
    while (queue.length > 0) {
      // What arrives in the same turn of the event loop goes along.
      await setImmediate();
      await runGroup(ctx, queue.splice(0, GROUP_MAX));
    }
    whenEmpty();
  }

  return async (ctx, item) => {
    const { database } = ctx.services;
    if (ctx.isInTransaction || ctx.sql === database.outsideTransaction) return (await run(ctx, [item]))[0]!;
    const { workspaceId, mode } = ctx.scope;
    const key = `${workspaceId}:${mode}`;
    const ofDatabase = queues.get(database) ?? new Map<string, Waiting<I, O>[]>();
    queues.set(database, ofDatabase);
    const { promise, resolve, reject } = Promise.withResolvers<O>();
    const queue = ofDatabase.get(key);
    if (queue) queue.push({ item, resolve, reject });
    else {
      const opened = [{ item, resolve, reject }];
      ofDatabase.set(key, opened);
      void empty(ctx, opened, () => ofDatabase.delete(key));
    }
    return promise;
  };
}
