import type { Request } from '@loyalty/platform/context';
import { mapIterator } from '@loyalty/platform/map-iterator';
import type { ExecutionResult } from 'graphql';
import type { Variables } from '../transport.ts';
import { type Answer, answerOf, newRun } from './answer.ts';
import type { CompiledOperation } from './compiled-operation.ts';
import { acceptObject } from './fetch.ts';
import { type Run, runStep } from './run.ts';

export type Answers = AsyncIterableIterator<Answer, undefined>;

/**
 * Subscribes at the subgraph that owns the root field. Every event counts as the answer to the plan's first
 * fetch: the rest of the plan runs, and the whole is shaped as for a query.
 */
export async function subscribeCompiled(
  operation: CompiledOperation,
  variables: Variables,
  coerced: Variables,
  from: Request,
): Promise<Answers | Answer> {
  const { primary, settings, plan } = operation;
  if (!primary) throw new Error('Only a subscription has a root that is subscribed to.');
  const { node, parts } = primary;
  const over = new AbortController();
  const answer = async (event: ExecutionResult): Promise<Answer> => {
    const run: Run = newRun(variables, coerced, { ...from, signal: over.signal });
    acceptObject(event, parts, run);
    if (event.data) await runStep(plan, run);
    return answerOf(operation, run);
  };
  const request = {
    query: node.operation,
    operationName: node.operationName,
    variables: parts.variablesOf(variables),
  };
  const source = await settings.transports[node.serviceName]!.subscribe(request, from);
  if (!(Symbol.asyncIterator in source)) {
    const run = newRun(variables, coerced, from);
    acceptObject({ errors: source.errors ?? [] }, parts, run);
    return { errors: run.errors };
  }
  return mapIterator(source[Symbol.asyncIterator](), {
    map: answer,
    onEnd: () => over.abort(),
  });
}
