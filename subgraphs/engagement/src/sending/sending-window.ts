import type { HttpClient } from '@loyalty/platform/outbound/http-client';
import type { Queue, SendingCapacity } from './sending.store.ts';

/**
 * Maximum number of messages that a worker sends at the same time: of one workspace and category, and in
 * total.
 */
const QUEUE_MAX = 200;
const WINDOW_MAX = 1_000;
/** With less free capacity than this, no statement is sent to claim messages. */
const CAPACITY_MIN = QUEUE_MAX / 2;

/**
 * The messages that a worker is sending. Each finished message frees capacity, so that a slow provider delays
 * only its own messages.
 */
export interface SendingWindow {
  readonly isEmpty: boolean;
  /** The free capacity; null if no messages may be claimed. */
  capacity(): SendingCapacity | null;
  /** Counts a message until the work is done. The promise must not reject. */
  run(queue: Queue, work: Promise<void>): void;
  /** Resolves when a queue has free capacity again or all messages are sent, at the latest after `ms`. */
  changed(ms: number): Promise<void>;
}

const windows = new WeakMap<HttpClient, SendingWindow>();

/**
 * Returns the window of this process. If the process ends, its messages are claimed again after their lease.
 */
export function windowOf(http: HttpClient): SendingWindow {
  const window = windows.get(http) ?? createWindow();
  windows.set(http, window);
  return window;
}

function createWindow(): SendingWindow {
  const underWay = new Map<string, Queue & { count: number }>();
  const waiting = new Set<() => void>();
  let total = 0;
  const leave = (key: string): void => {
    const queue = underWay.get(key)!;
    queue.count -= 1;
    total -= 1;
    if (queue.count === 0) underWay.delete(key);
    if (queue.count > 0 && queue.count !== QUEUE_MAX - CAPACITY_MIN && total !== WINDOW_MAX - CAPACITY_MIN)
      return;
    for (const wake of waiting) wake();
  };
  return {
    get isEmpty() {
      return total === 0;
    },
    capacity() {
      if (WINDOW_MAX - total < CAPACITY_MIN) return null;
      const busy = [...underWay.values()].map(({ workspaceId, category, count }) => {
        const free = QUEUE_MAX - count;
        return { workspaceId, category, free: free < CAPACITY_MIN ? 0 : free };
      });
      return { total: WINDOW_MAX - total, perQueue: QUEUE_MAX, busy };
    },
    run({ workspaceId, category }, work) {
      const key = `${workspaceId} ${category}`;
      const queue = underWay.get(key) ?? { workspaceId, category, count: 0 };
      underWay.set(key, queue);
      queue.count += 1;
      total += 1;
      void work.then(() => leave(key));
    },
    changed: (ms) =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        waiting.add(wake);
      }),
  };
}
