import { LRUCache } from 'lru-cache';
import type { Context, CurrentRequest } from '../context.ts';
import { createWorkThread, type WorkThread } from './work-thread.ts';

/** The thread was ended, because a job took too long or needed too much memory. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/** The workspace and request of a job. A job whose signal has aborted is not begun. */
export interface WorkOwner {
  readonly scope: Pick<Context['scope'], 'workspaceId'>;
  readonly request: Pick<CurrentRequest, 'signal'>;
}

/** Work whose duration depends on the input of the caller. */
export interface BoundedWork<Job, Result> {
  /**
   * @param job - copied by structured clone
   * @throws ThreadEnded; what the module throws; the reason of the owner's signal
   */
  run(owner: WorkOwner, job: Job): Promise<Result>;
}

export interface WorkBounds<Job> {
  readonly memoryMb: number;
  /** Maximum duration of one job in ms, without the start of the thread. */
  readonly msMax: number;
  /** A job that warms up a thread; the same for all callers. */
  readonly ready: Job;
}

/**
 * A job is slow if it takes more than this share of the maximum. Its workspace is then separated for
 * APART_MS.
 */
const SLOW_PART = 1 / 4;
const APART_MS = 600_000;
const APART_MAX = 10_000;

/**
 * Runs jobs in a thread, one after the other; workspaces take turns. A job that exceeds its limits ends the
 * thread. After such a job, and after a slow one, the jobs of its workspace run in a second thread for ten
 * minutes, together with those of other slow workspaces. So a workspace with bad jobs does not delay the
 * others.
 *
 * @param module - its default export runs a job
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
    // The start of the thread does not count as time of the job.
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

/** Jobs that wait for a thread. */
interface WorkQueue<Job, Result> {
  add(workspaceId: string, ...turns: readonly Turn<Job, Result>[]): void;
}

/** @param elsewhere - returns the queue to which waiting jobs of a workspace move; null if they stay */
function createQueue<Job, Result>(
  thread: WorkThread<Job, Result>,
  elsewhere: (workspaceId: string) => WorkQueue<Job, Result> | null,
): WorkQueue<Job, Result> {
  /** Jobs by workspace; the order of workspaces is the order of their turns. */
  const waiting = new Map<string, readonly Turn<Job, Result>[]>();
  let isWorking = false;

  async function work(): Promise<void> {
    isWorking = true;
    // The loop also reaches entries that are added meanwhile.
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
