import type { Services } from '../context.ts';

/**
 * Publishes a key at once, and then at most once in `everyMs`, however often it is called: calls in between
 * become one at the end of the interval. For messages that only say that something is to be read again.
 *
 * @param publish - its failures at the end of an interval are logged only
 */
export function throttled(
  everyMs: number,
  publish: (services: Services, key: string) => Promise<void>,
): (services: Services, key: string) => Promise<void> {
  /** The keys whose interval runs, by process: whether they were asked for again meanwhile. */
  const waiting = new WeakMap<Services['live'], Map<string, boolean>>();

  function startInterval(services: Services, keys: Map<string, boolean>, key: string): void {
    keys.set(key, false);
    const end = () => {
      const isAskedAgain = keys.get(key);
      keys.delete(key);
      if (!isAskedAgain) return;
      startInterval(services, keys, key);
      publish(services, key).catch((error: unknown) =>
        services.log.warn({ err: error }, 'a throttled message could not be published'),
      );
    };
    // Nobody waits for it: a process may end meanwhile.
    setTimeout(end, everyMs).unref();
  }

  return async (services, key) => {
    const keys = waiting.get(services.live) ?? new Map<string, boolean>();
    waiting.set(services.live, keys);
    if (keys.has(key)) {
      keys.set(key, true);
      return;
    }
    startInterval(services, keys, key);
    await publish(services, key);
  };
}
