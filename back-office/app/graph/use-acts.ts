import { useRef, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { type CallFailure, failureOf } from './failures.ts';
import { scopeHeaders, useScope } from './scope.ts';
import { say } from './toasts.ts';
import type { Act } from './use-act.ts';

/** The results of many calls. */
export interface ActsResult {
  readonly done: number;
  readonly failed: number;
}

const AT_ONCE = 4;

/**
 * Runs one mutation for each of many rows, if the graph has no bulk mutation: a few at a time, with one
 * result. A call without a response is sent again with its own `Idempotency-Key`.
 *
 * @param changes - types that the mutation changes but does not return
 * @param toastOf - the message for all rows
 */
export function useActs<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  changes: readonly string[],
  toastOf: (result: ActsResult) => string,
): Act<ActsResult, readonly Variables[]> {
  const client = useClient();
  const scope = useScope();
  const keys = useRef(new Map<string, string>());
  const isBusy = useRef(false);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);

  async function runOne(variables: Variables): Promise<CallFailure | null> {
    const name = JSON.stringify(variables);
    const key = keys.current.get(name) ?? crypto.randomUUID();
    keys.current.set(name, key);
    const headers = { ...scopeHeaders(scope), 'idempotency-key': key };
    const { error } = await client
      .mutation(document, variables, { fetchOptions: { headers }, additionalTypenames: [...changes] })
      .toPromise();
    const failed = error ? failureOf(error) : null;
    if (failed?.code !== 'NETWORK') keys.current.delete(name);
    return failed;
  }

  async function run(all: readonly Variables[]): Promise<ActsResult | null> {
    if (isBusy.current) return null;
    isBusy.current = true;
    setRunning(true);
    const left = [...all];
    const failures: CallFailure[] = [];
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const failed = await runOne(next);
        if (failed) failures.push(failed);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    isBusy.current = false;
    setRunning(false);
    const result = { done: all.length - failures.length, failed: failures.length };
    setFailure(result.done === 0 ? (failures[0] ?? null) : null);
    if (result.done === 0) return null;
    say({ text: toastOf(result) });
    return result;
  }
  return { run, isRunning, failure, clearFailure: () => setFailure(null) };
}
