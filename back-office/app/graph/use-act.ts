import { useRef, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { type CallFailure, failureOf } from './failures.ts';
import { scopeHeaders, useScope } from './scope.ts';
import { outdated } from './signal.ts';
import { say, type Toast } from './toasts.ts';

/** Returns the message after a successful mutation: a text, or a text with the mutation that reverts it. */
export type ToastOf<Data, Variables> = (data: Data, variables: Variables) => string | Toast | null;

/** A mutation that a button starts. */
export interface Act<Data, Variables> {
  /** Runs the mutation. Returns null if it failed or is already running. */
  readonly run: (variables: Variables) => Promise<Data | null>;
  readonly isRunning: boolean;
  readonly failure: CallFailure | null;
  readonly clearFailure: () => void;
}

/**
 * Runs a mutation once. A second call while it runs does nothing. A mutation without a response is sent again
 * with the same `Idempotency-Key`; any response ends that key.
 *
 * @param changes - types that the mutation changes but does not return
 * @param toastOf - the message after success; null if the screen itself shows the result, or if it is a step
 * of a longer action
 */
export function useAct<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  changes: readonly string[] = [],
  toastOf: ToastOf<Data, Variables> | null = null,
): Act<Data, Variables> {
  const client = useClient();
  const scope = useScope();
  const key = useRef(crypto.randomUUID());
  const isBusy = useRef(false);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);

  async function run(variables: Variables): Promise<Data | null> {
    if (isBusy.current) return null;
    isBusy.current = true;
    setRunning(true);
    const headers = { ...scopeHeaders(scope), 'idempotency-key': key.current };
    const { data, error } = await client
      .mutation(document, variables, { fetchOptions: { headers }, additionalTypenames: [...changes] })
      .toPromise();
    isBusy.current = false;
    setRunning(false);
    const failed = error ? failureOf(error) : null;
    if (failed?.code !== 'NETWORK') key.current = crypto.randomUUID();
    setFailure(failed);
    // The current state is read, so that the person sees it before they send again.
    if (failed?.reason.endsWith('_CHANGED')) outdated.send();
    if (failed || !data) return null;
    const toast = toastOf?.(data, variables);
    if (toast) say(typeof toast === 'string' ? { text: toast } : toast);
    return data;
  }
  return { run, isRunning, failure, clearFailure: () => setFailure(null) };
}
