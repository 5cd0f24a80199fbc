import { LRUCache } from 'lru-cache';
import type { Context, CurrentRequest } from '../context.ts';
import { createWorkThread, type WorkThread } from './work-thread.ts';

/** A job took too long or needed too much memory: its thread was ended. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/** For whom work is done. What nobody waits for any more, as its signal says, is not begun. */
export interface WorkOwner {
  readonly scope: Pick<Context['scope'], 'workspaceId'>;
  readonly request: Pick<CurrentRequest, 'signal'>;
}

/** Work of which the caller decides how long it takes. */
export interface BoundedWork<Job, Result> {
  /**
   * @param job - copied by structured clone
   * @throws ThreadEnded; what the module throws; the reason of the owner's signal
   */
  run(owner: WorkOwner, job: Job): Promise<Result>;
}

export interface WorkBounds<Job> {
  readonly memoryMb: number;
  /** Of one job, once the thread is ready. */
  readonly msMax: number;
  /** Makes the thread ready; the same for everybody. */
  readonly ready: Job;
}

/** Who had a job that took more than this part of the bound keeps out of the way of others for this time. */
const SLOW_PART = 1 / 4;
const APART_MS = 600_000;
const APART_MAX = 10_000;

/**
 * Does jobs in a thread, one after the other; workspaces take turns. A job beyond its bounds ends the thread.
 * After that, and after a slow job, the jobs of that workspace are done in a second thread for ten minutes,
 * beside the like of it: so a workspace that ends threads all the time keeps nobody else waiting.
 *
 * @param module - its default export does a job
 */
export function createBoundedWork<Job, Result>(
  module: URL,
  { memoryMb, msMax, ready }: WorkBounds<Job>,
): BoundedWork<Job, Result> {
  const slow = new LRUCache<string, true>({ max: APART_MAX, ttl: APART_MS });
  const thread = () => createWorkThread<Job, Result>(module, { memoryMb });
  const apart = createQueue(thread(), () => null);
  const shared = createQueue(thread(), (workspaceId) => (slow.has(workspaceId) ? apart : null));

  async function run(on: WorkThread<Job, Result>, { scope, request }: WorkOwner, job: Job): Promise<Result> {
    request.signal.throwIfAborted();
    // The time that a thread needs to start is not the job's.
    await on.run(ready);
    const began = performance.now();
    try {
      return await on.run(job, AbortSignal.timeout(msMax));
    } catch (error) {
      throw isOver(error) ? new ThreadEnded() : error;
    } finally {
      if (performance.now() - began > SLOW_PART * msMax) slow.set(scope.workspaceId, true);
    }
  }

  return {
    run: (owner, job) =>
      new Promise((resolve, reject) => {
        shared.add(owner.scope.workspaceId, (on) => run(on, owner, job).then(resolve, reject));
      }),
  };
}

const isOver = (error: unknown): boolean => {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return name === 'TimeoutError' || code === 'ERR_WORKER_OUT_OF_MEMORY';
};

type Turn<Job, Result> = (thread: WorkThread<Job, Result>) => Promise<void>;

/** What waits for a thread. */
interface WorkQueue<Job, Result> {
  add(workspaceId: string, ...turns: readonly Turn<Job, Result>[]): void;
}

/** @param elsewhere - the queue to which what waits of a workspace moves; null where it stays */
function createQueue<Job, Result>(
  thread: WorkThread<Job, Result>,
  elsewhere: (workspaceId: string) => WorkQueue<Job, Result> | null,
): WorkQueue<Job, Result> {
  /** In the order in which the workspaces have their turns. */
  const waiting = new Map<string, readonly Turn<Job, Result>[]>();
  let isWorking = false;

  async function work(): Promise<void> {
    isWorking = true;
    // It comes also to what is added meanwhile.
    for (const [workspaceId, turns] of waiting) {
      waiting.delete(workspaceId);
      const other = elsewhere(workspaceId);
      if (other) {
        other.add(workspaceId, ...turns);
        continue;
      }
      const [next, ...later] = turns;
      if (later.length > 0) waiting.set(workspaceId, later);
      await next!(thread);
    }
    isWorking = false;
  }

  return {
    add(workspaceId, ...turns) {
      waiting.set(workspaceId, [...(waiting.get(workspaceId) ?? []), ...turns]);
      if (!isWorking) void work();
    },
  };
}
