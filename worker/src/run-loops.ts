import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context, Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import type { Loop } from '@loyalty/platform/work/loops';
import type { ErrorDigest } from './error-digest.ts';

/** Wait after a failed turn. */
const FAILED_MS = 1_000;

/** Runs each place of each loop, turn after turn, until it is stopped. */
export function runLoops(services: Services, errors: ErrorDigest, loops: readonly Loop[]) {
  const places = loops.flatMap((loop) =>
    Array.from({ length: loop.places }, () => runPlace(services, errors, loop)),
  );
  return {
    /** Starts no further turns, and resolves when the running ones have ended. */
    async stop(): Promise<void> {
      await Promise.all(places.map((place) => place.stop()));
      const drained = loops.map((loop) => loop.drain?.(contextOf(services, loop)));
      for (const { status, reason } of (await Promise.allSettled(drained)) as PromiseRejectedResult[])
        if (status === 'rejected') errors.report(reason);
    },
  };
}

function runPlace(services: Services, errors: ErrorDigest, loop: Loop) {
  let isStopped = false;
  let isWoken = false;
  let wake = () => {
    isWoken = true;
  };
  const unsubscribe = loop.wakes ? services.live.subscribe(loop.wakes, () => wake()) : () => {};

  /** Waits until the time is over, or the place is woken or stopped; an earlier wake-up counts, too. */
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        wake = () => {
          isWoken = true;
        };
        isWoken = false;
        resolve();
      };
      const timer = setTimeout(end, ms);
      wake = end;
      if (isWoken || isStopped) end();
    });

  async function run(): Promise<void> {
    while (!isStopped) {
      const waitMs = await loop.turn(contextOf(services, loop)).catch((error: unknown) => {
        errors.report(error);
        return FAILED_MS;
      });
      if (waitMs > 0) await wait(waitMs);
    }
  }

  const running = run();
  return {
    async stop(): Promise<void> {
      isStopped = true;
      unsubscribe();
      wake();
      await running;
    },
  };
}

const contextOf = (services: Services, { name }: Loop): Context =>
  createContext(services, { caller: systemCaller(name), requestId: `loop:${name}` });
