import type { Services } from '../context.ts';

/**
 * Publishes a key at once, and then at most once per `everyMs`. Further calls within an interval become one
 * message at its end. For messages whose only meaning is that data must be read again.
 *
 * @param publish - publishes a key; its failures at the end of an interval are only logged
 */
export function throttled(
  everyMs: number,
  publish: (services: Services, key: string) => Promise<void>,
): (services: Services, key: string) => Promise<void> {
  /** Keys with a running interval, by process; true if the key was requested again in this interval. */
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
    // Does not keep the process alive: it may end before the interval.
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
