import { asCancelled, notSent } from './cancellation.ts';

/** Runs work so that the connections it takes are tied to a signal. */
export type Within = <T>(work: () => T) => T;

/** Prisma answers these, asked by several requests in one tick, with one statement. */
const SHARED = new Set<PropertyKey>(['findUnique', 'findUniqueOrThrow']);
/** Prisma's promises start their statement when one of these is called first. */
const STARTS = new Set<PropertyKey>(['then', 'catch', 'finally']);

type Method = (...args: unknown[]) => unknown;

/**
 * Prisma's client for work that `signal` ends: the same operations, started `within` it.
 *
 * `findUnique` is only refused once the signal has aborted, never cancelled: its statement may be somebody
 * else's, too, and Prisma sends it from the context of whoever asked first.
 */
export function cancellablePrisma<Client extends object>(
  prisma: Client,
  signal: AbortSignal,
  within: Within,
): Client {
  const shared: Within = (work) => {
    if (signal.aborted) throw notSent();
    return work();
  };
  return inFrontOf(prisma, (found, name) => {
    if (typeof found === 'function') return operation(prisma, found as Method, within);
    if (typeof found !== 'object' || found === null || typeof name === 'symbol') return found;
    return inFrontOf(found, (run, action) => {
      if (typeof run !== 'function') return run;
      return operation(found, run as Method, SHARED.has(action) ? shared : within);
    });
  });
}

/**
 * A proxy that shows what `see` makes of every property. Its target is empty, because the engine compares
 * what a proxy shows with its target, and Prisma's own proxies answer that slowly.
 */
function inFrontOf<Owner extends object>(
  owner: Owner,
  see: (found: unknown, name: PropertyKey) => unknown,
): Owner {
  return new Proxy({} as Owner, { get: (_, name) => see(Reflect.get(owner, name), name) });
}

const operation =
  (owner: object, run: Method, within: Within): Method =>
  (...args) =>
    startedWithin(run.apply(owner, args) as Promise<unknown>, within);

/** Only the start happens `within`; what the caller does with the answer happens outside. */
function startedWithin(promise: Promise<unknown>, within: Within): Promise<unknown> {
  return inFrontOf(promise, (found, name) => {
    if (typeof found !== 'function') return found;
    if (!STARTS.has(name)) return operation(promise, found as Method, within);
    return (...handlers: unknown[]) => {
      const started = new Promise((resolve, reject) => {
        void within(() => promise.then(resolve, (error: unknown) => reject(asCancelled(error))));
      });
      return (Reflect.get(started, name) as Method).apply(started, handlers);
    };
  });
}
