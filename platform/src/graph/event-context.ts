import { createContext } from '../caller/create-context.ts';
import type { Context, Services } from '../context.ts';

const open = new WeakMap<Services, Map<string, Context>>();

/**
 * Makes the contexts in which one subscription executes its events. Subscriptions of the same caller that
 * execute in the same moment share one, so that a thousand who watch the same thing load it once. The moment
 * is over before any loader has begun: what is loaded is never older than the event.
 *
 * @param ctx - of the subscription
 */
export function eventContexts({ services, caller, requestId, address }: Context): () => Context {
  const who = JSON.stringify([caller, address]);
  const shared = open.get(services) ?? new Map<string, Context>();
  open.set(services, shared);
  return () => {
    const found = shared.get(who);
    if (found) return found;
    const made = createContext(services, { caller, requestId, address });
    shared.set(who, made);
    // Loaders begin in the same way, later: in the ticks after every promise of this moment.
    void Promise.resolve().then(() => process.nextTick(() => shared.delete(who)));
    return made;
  };
}
