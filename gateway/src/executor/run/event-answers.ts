import type { Caller } from '@loyalty/platform/base/caller';
import type { Request } from '@loyalty/platform/context';
import type { Variables } from '../../transport/transport.ts';
import type { Answer } from './answer.ts';
import type { CompiledOperation } from './compiled-operation.ts';
import { startWork, type WorkInFlight } from './work-in-flight.ts';

/** What an answer to an event is recognised by, and the client that waits for it. */
interface Subscription {
  readonly operation: CompiledOperation;
  readonly variables: Variables;
  readonly from: Request;
}

/** Answers to one event: one for each operation, variables and caller. */
type AnswersByOperation = WeakMap<CompiledOperation, Map<string, WorkInFlight<Answer>>>;

/** The answers to events that several subscriptions get, for as long as the event itself is kept. */
export interface EventAnswers {
  /** The answer of an equal subscription of the same caller, or that of `run`. */
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

/** As JSON; computed once, because it is asked for with every event. */
function textOf(value: Caller | Variables): string {
  const text = texts.get(value) ?? JSON.stringify(value);
  texts.set(value, text);
  return text;
}
