import type { HttpClient } from '@loyalty/platform/outbound/http-client';
import type { Queue, Room } from './sending.store.ts';

/** Messages of one workspace and category, and of all, that a worker sends at the same time. */
const QUEUE_MAX = 200;
const WINDOW_MAX = 1_000;
/** Less room than this is not worth a statement. */
const ROOM_MIN = QUEUE_MAX / 2;

/** What a worker sends at this moment. What ends makes room: a slow provider delays only its own messages. */
export interface SendingWindow {
  readonly isEmpty: boolean;
  /** Null where nothing more may be taken. */
  room(): Room | null;
  /** Counts a message until the work is done. The work must not fail. */
  run(queue: Queue, work: Promise<void>): void;
  /** Resolves when a queue has room again or all is sent, at the latest after these ms. */
  changed(ms: number): Promise<void>;
}

const windows = new WeakMap<HttpClient, SendingWindow>();

/** The window of this process. Messages that it loses with the process are taken again after their lease. */
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
    if (queue.count > 0 && queue.count !== QUEUE_MAX - ROOM_MIN && total !== WINDOW_MAX - ROOM_MIN) return;
    for (const wake of waiting) wake();
  };
  return {
    get isEmpty() {
      return total === 0;
    },
    room() {
      if (WINDOW_MAX - total < ROOM_MIN) return null;
      const busy = [...underWay.values()].map(({ workspaceId, category, count }) => {
        const room = QUEUE_MAX - count;
        return { workspaceId, category, room: room < ROOM_MIN ? 0 : room };
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
