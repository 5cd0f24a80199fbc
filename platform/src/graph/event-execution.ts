import type { ExecutionResult } from 'graphql';
import type { Context, Services } from '../context.ts';
import { createContext } from '../database/create-context.ts';

type Execute = (event: unknown, ctx: Context) => Promise<ExecutionResult>;

/**
 * Returns a function that executes the events of one subscription, each in its own context.
 *
 * @param request - the request as it was sent
 * @param areShared - other subscriptions receive the same event objects. Subscriptions with the same caller
 *   and request then share one execution and its result object
 */
export function eventExecution(
  request: object,
  ctx: Context,
  areShared: boolean,
  execute: Execute,
): (event: unknown) => Promise<ExecutionResult> {
  const newContext = eventContexts(ctx);
  if (!areShared) return (event) => execute(event, newContext());
  const key = JSON.stringify([ctx.caller, request]);
  return (event) => {
    const results = resultsOf(event as object);
    const result = results.get(key) ?? execute(event, newContext());
    results.set(key, result);
    return result;
  };
}

/** Results by event, kept as long as the event itself. */
const known = new WeakMap<object, Map<string, Promise<ExecutionResult>>>();

function resultsOf(event: object): Map<string, Promise<ExecutionResult>> {
  const results = known.get(event) ?? new Map<string, Promise<ExecutionResult>>();
  known.set(event, results);
  return results;
}

const open = new WeakMap<Services, Map<string, Context>>();

/**
 * Makes the contexts in which one subscription executes its events. Subscriptions of the same caller that
 * execute at the same moment share a context, so that a thousand watchers of the same thing load it once.
 * Sharing ends before any loader begins, so loaded data is never older than the event.
 *
 * @param ctx - context of the subscription
 */
function eventContexts({ services, caller, request: { requestId } }: Context): () => Context {
  const who = JSON.stringify(caller);
  const shared = open.get(services) ?? new Map<string, Context>();
  open.set(services, shared);
  return () => {
    const found = shared.get(who);
    if (found) return found;
    const made = createContext(services, { caller, requestId });
    shared.set(who, made);
    // Loaders begin in the same way but later, in the ticks after all promises of this moment.
    void Promise.resolve().then(() => process.nextTick(() => shared.delete(who)));
    return made;
  };
}
