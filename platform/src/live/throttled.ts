import type { Services } from '../context.ts';

/**
 * Tells of a key at once, and then at most once in `everyMs`, however often it is asked to: all that is asked
 * meanwhile is told together at the end of that time. For what only says that something is to be read again.
 *
 * @param tell - failures of what is told later are logged only
 */
export function throttled(
  everyMs: number,
  tell: (services: Services, key: string) => Promise<void>,
): (services: Services, key: string) => Promise<void> {
  /** By process part and key: whether something more is to be told when the time is over. */
  const resting = new WeakMap<Services['live'], Map<string, boolean>>();

  function rest(services: Services, keys: Map<string, boolean>, key: string): void {
    keys.set(key, false);
    const wake = () => {
      const isAsked = keys.get(key);
      keys.delete(key);
      if (!isAsked) return;
      rest(services, keys, key);
      tell(services, key).catch((error: unknown) => services.log.warn({ err: error }, 'could not tell'));
    };
    // Nobody waits for it: a process may end meanwhile.
    setTimeout(wake, everyMs).unref();
  }

  return async (services, key) => {
    const keys = resting.get(services.live) ?? new Map<string, boolean>();
    resting.set(services.live, keys);
    if (keys.has(key)) {
      keys.set(key, true);
      return;
    }
    rest(services, keys, key);
    await tell(services, key);
  };
}
