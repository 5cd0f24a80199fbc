import type { Database } from '@loyalty/prisma/client';
import { rowBusy } from '../base/errors.ts';
import type { Context } from '../context.ts';

/**
 * Maximum of calls of one queue that run at the same time. PostgreSQL queues them at the row in their order.
 * With several of them there, the row never waits for this process.
 */
const RUNNING_MAX = 4;
/** Share of the remaining time that a call may wait; the rest is for its work. */
const WAITING_SHARE = 2 / 3;

interface RowQueue {
  running: number;
  /** Functions that each start a waiting call, the oldest first. */
  readonly waiting: Set<() => void>;
}

const queuesOf = new WeakMap<Database, Map<string, RowQueue>>();

/**
 * Runs calls that change the same row, or rows under the same lock, a few at a time in order of arrival. The
 * other calls wait without a connection. So many changes of one row neither exceed the lock timeout nor use
 * up the connections of other workspaces. Other processes have their own queues: the lock in the database
 * decides. A call inside a transaction already has a connection and does not wait here.
 *
 * @param row - unique in the workspace, such as `member:<id>`
 * @throws AppError ROW_BUSY (409, with Retry-After) if the wait takes too long; nothing was done
 */
export async function inRowQueue<T>(ctx: Context, row: string, work: () => Promise<T>): Promise<T> {
  if (ctx.isInTransaction) return work();
  const { database } = ctx.services;
  const queues = queuesOf.get(database) ?? new Map<string, RowQueue>();
  queuesOf.set(database, queues);
  const key = `${ctx.caller.workspaceId} ${ctx.caller.mode} ${row}`;
  const queue = queues.get(key) ?? { running: 0, waiting: new Set() };
  queues.set(key, queue);
  await turn(queue, (ctx.request.deadlineAt - performance.now()) * WAITING_SHARE);
  try {
    return await work();
  } finally {
    leave(queue, () => queues.delete(key));
  }
}

/** Takes a place among the running calls, now or when one becomes free. */
async function turn(queue: RowQueue, waitMs: number): Promise<void> {
  if (queue.running < RUNNING_MAX) {
    queue.running += 1;
    return;
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  queue.waiting.add(resolve);
  const giveUp = () => {
    if (queue.waiting.delete(resolve)) reject(rowBusy());
  };
  const timer = Number.isFinite(waitMs) ? setTimeout(giveUp, waitMs) : undefined;
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Passes the place to the call that has waited longest. */
function leave(queue: RowQueue, whenEmpty: () => void): void {
  const [next] = queue.waiting;
  if (next) {
    queue.waiting.delete(next);
    next();
    return;
  }
  queue.running -= 1;
  if (queue.running === 0) whenEmpty();
}

/** Names the row of a call by its arguments. */
type RowOf = (args: Readonly<Record<string, unknown>>) => string;

const rows = new WeakMap<object, RowOf>();

/**
 * Marks the resolver of a mutation whose calls change one row and may be numerous. They wait in `inRowQueue`
 * before any work is done for them.
 */
export function queuesFor<Resolve extends object>(rowOf: RowOf, resolve: Resolve): Resolve {
  rows.set(resolve, rowOf);
  return resolve;
}

/** Returns the row function of a resolver; undefined if its calls do not wait. */
export const queuedRowOf = (resolve: object): RowOf | undefined => rows.get(resolve);
