import { setTimeout as delay } from 'node:timers/promises';

/** Repeats `check` until it passes; after `timeoutMs` it throws the last failure. */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = 60_000): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await delay(25);
    }
  }
}
