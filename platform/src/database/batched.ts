import { setImmediate } from 'node:timers/promises';
import type { Database } from '@loyalty/prisma/client';
import type { Context } from '../context.ts';
import { createContext } from './create-context.ts';

/** Maximum of items per call. */
const GROUP_MAX = 250;

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (outcome: O) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines many small writes of one workspace. While a call of `run` is in progress for a workspace and mode,
 * new items wait; the next call takes them together, in order. An item does not wait if no call is in
 * progress. In a transaction, or in a context outside of its transaction, an item is written alone over the
 * connection of its context. Other processes make their own calls, so `run` must enforce global rules in SQL.
 *
 * @param run - runs one statement for all items, at most 250, and returns an outcome for each, in order. If
 *   it fails, all of its items fail with the same error, so it must have written nothing. Its context belongs
 *   to no single request: no signal ends it, and it acts as the first of the callers.
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
      // Items of the same turn of the event loop join the call.
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
