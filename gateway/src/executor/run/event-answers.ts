import type { Caller } from '@loyalty/platform/base/caller';
import type { Request } from '@loyalty/platform/context';
import type { Variables } from '../../transport/transport.ts';
import type { Answer } from './answer.ts';
import type { CompiledOperation } from './compiled-operation.ts';
import { startWork, type WorkInFlight } from './work-in-flight.ts';

/** The identity of an answer to an event, and the client that waits for it. */
interface Subscription {
  readonly operation: CompiledOperation;
  readonly variables: Variables;
  readonly from: Request;
}

/** Answers to one event: one per operation, variables and caller. */
type AnswersByOperation = WeakMap<CompiledOperation, Map<string, WorkInFlight<Answer>>>;

/** Shared answers to events of several subscriptions, kept as long as the event itself. */
export interface EventAnswers {
  /** Returns the answer of an equal subscription of the same caller, or the answer of `run`. */
  share(event: object, by: Subscription, run: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
}

export function createEventAnswers(): EventAnswers {
  const byEvent = new WeakMap<object, AnswersByOperation>();
  return {
    share(event, { operation, variables, from }, run) {
      const byOperation: AnswersByOperation = byEvent.get(event) ?? new WeakMap();
      byEvent.set(event, byOperation);
      const answers = byOperation.get(operation) ?? new Map<string, WorkInFlight<Answer>>();
      byOperation.set(operation, answers);
      const key = `${textOf(variables)} ${textOf(from.caller)}`;
      const answer = answers.get(key) ?? startWork(run, () => answers.delete(key));
      answers.set(key, answer);
      return answer.waitFor(from.signal);
    },
  };
}

const texts = new WeakMap<object, string>();

/** Returns the value as JSON; cached, because it is needed for every event. */
function textOf(value: Caller | Variables): string {
  const text = texts.get(value) ?? JSON.stringify(value);
  texts.set(value, text);
  return text;
}
