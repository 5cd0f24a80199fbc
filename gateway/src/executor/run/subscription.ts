import { mapIterator } from '@loyalty/platform/base/iterators';
import type { Request } from '@loyalty/platform/context';
import type { Log } from '@loyalty/platform/observe/log';
import { areSnapshots } from '@loyalty/platform/subscriptions/snapshots';
import type { ExecutionResult } from 'graphql';
import type { Variables } from '../../transport/transport.ts';
import { acceptObject } from '../codegen/fetch.ts';
import { type Answer, answerOf, newPlanRun } from './answer.ts';
import type { CompiledOperation } from './compiled-operation.ts';
import type { EventAnswers } from './event-answers.ts';
import { logFaults } from './faults.ts';
import { type PlanRun, runStep } from './plan-run.ts';
import { isRecord } from './subgraph-errors.ts';

export type AnswerStream = AsyncIterableIterator<Answer, undefined>;

/** The subscriber's request, with variables as sent and as coerced. */
interface Subscriber {
  readonly variables: Variables;
  readonly coerced: Variables;
  readonly from: Request;
  readonly log: Log;
}

/**
 * Subscribes at the subgraph that owns the root field. Every event is treated as the answer to the plan's
 * first fetch: the rest of the plan runs, and the answer is shaped like that of a query. Equal subscriptions
 * of one caller share the answer to a snapshot.
 */
export async function subscribeCompiled(
  operation: CompiledOperation,
  { variables, coerced, from, log }: Subscriber,
  events: EventAnswers,
): Promise<AnswerStream | Answer> {
  const { primary, settings, plan } = operation;
  if (!primary) throw new Error('Only a subscription has a root that is subscribed to.');
  const { node, parts } = primary;
  const ended = new AbortController();
  const answer = async (event: ExecutionResult, request: Request): Promise<Answer> => {
    const run: PlanRun = newPlanRun(variables, coerced, request);
    acceptObject(isRecord(event) ? event : {}, parts, run);
    if (isRecord(event?.data)) await runStep(plan, run);
    const answered = answerOf(operation, run);
    logFaults(run, log);
    return answered;
  };
  const request = {
    query: node.operation,
    operationName: node.operationName,
    variables: parts.variablesOf(variables),
  };
  const source = await settings.transports[node.serviceName]!.subscribe(request, from);
  if (!(Symbol.asyncIterator in source)) {
    const run = newPlanRun(variables, coerced, from);
    acceptObject({ errors: source.errors ?? [] }, parts, run);
    return { errors: run.errors };
  }
  const { signal } = ended;
  const answerOnce = (event: ExecutionResult): Promise<Answer> => {
    const request = { ...from, address: null, signal };
    return events.share(event, { operation, variables, from: request }, (whileAwaited) =>
      answer(copyOf(event), { ...request, signal: whileAwaited }),
    );
  };
  return mapIterator(source[Symbol.asyncIterator](), {
    map: areSnapshots(source) ? answerOnce : (event) => answer(event, { ...from, signal }),
    onEnd: () => ended.abort(),
  });
}

/** A copy, because runs change the data of their event. */
const copyOf = ({ data, ...rest }: ExecutionResult): ExecutionResult =>
  data ? { ...rest, data: structuredClone(data) } : { ...rest, data: null };
