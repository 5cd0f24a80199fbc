import { setImmediate } from 'node:timers/promises';
import type { Database } from '@loyalty/prisma/client';
import type { Context } from '../context.ts';
import { createContext } from './create-context.ts';

/** Items that one call takes at most. */
const GROUP_MAX = 250;

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (outcome: O) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes many small writes of one workspace cheap: while one call of `run` is under way for a workspace and
 * mode, new items wait and become the next call together, in their order. An item does not wait where no call
 * is under way. In a context that is inside of a transaction, or outside of its transaction, an item goes
 * alone over the connection of its context. Other processes have calls of their own: what must hold for all
 * of them, `run` must ensure in SQL.
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
      const { services, caller, request } = ctx;
      const outcomes = await run(
        createContext(services, { caller, requestId: request.requestId }),
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
