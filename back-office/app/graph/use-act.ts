import { useRef, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { type CallFailure, failureOf } from './failures.ts';
import { scopeHeaders, useScope } from './scope.ts';
import { outdated } from './signal.ts';
import { say, type Toast } from './toasts.ts';

/** What is said of a mutation once it has succeeded: text, or text with what takes it back. */
export type ToastOf<Data, Variables> = (data: Data, variables: Variables) => string | Toast | null;

/** A mutation that a button starts. */
export interface Act<Data, Variables> {
  /** Null where it failed, or still runs. */
  readonly run: (variables: Variables) => Promise<Data | null>;
  readonly isRunning: boolean;
  readonly failure: CallFailure | null;
  readonly forget: () => void;
}

/**
 * Runs a mutation once: a second press while it runs does nothing, and what got no answer is sent again with
 * the same `Idempotency-Key`. Any answer ends that key.
 *
 * @param changes - types that it changes without answering with them
 * @param toastOf - what is said of it; null where the screen says it by itself, or it is a part of more
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
    // Who then sends it again does so knowing what it is now.
    if (failed?.reason.endsWith('_CHANGED')) outdated.send();
    if (failed || !data) return null;
    const toast = toastOf?.(data, variables);
    if (toast) say(typeof toast === 'string' ? { text: toast } : toast);
    return data;
  }
  return { run, isRunning, failure, forget: () => setFailure(null) };
}
