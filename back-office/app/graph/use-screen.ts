import { useCallback, useEffect, useRef } from 'react';
import { type AnyVariables, type TypedDocumentNode, useQuery } from 'urql';
import { type DocumentName, demands } from '../../generated/demands.ts';
import { type CallFailure, failureOf } from './failures.ts';
import { outdated } from './signal.ts';

/** The state of a query. */
export interface Loaded<Data> {
  /** Kept while the query runs again or fails temporarily, because open forms depend on it. */
  readonly data: Data | undefined;
  readonly failure: CallFailure | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * The types that a query reads. A change of one of them runs the query again. They are generated, because the
 * response of an empty list does not contain the type of its rows.
 */
function readsOf({ definitions }: Pick<TypedDocumentNode, 'definitions'>): { additionalTypenames: string[] } {
  const operation = definitions.find((each) => each.kind === 'OperationDefinition');
  const name = (operation as { name?: { value: string } } | undefined)?.name?.value as DocumentName;
  return demands[name].reads as unknown as { additionalTypenames: string[] };
}

/** Temporary failures: the connection returns, or the person signs in again. */
const PASSING: readonly string[] = ['NETWORK', 'UNAUTHENTICATED', 'UNAVAILABLE', 'RATE_LIMITED'];

/** The one query of a screen or a dialog. */
export function useScreen<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  pause = false,
): Loaded<Data> {
  const context = readsOf(query);
  const [{ data, error, fetching }, execute] = useQuery({ query, variables, pause, context });
  const reload = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  useEffect(() => (pause ? undefined : outdated.listen(reload)), [pause, reload]);
  const key = JSON.stringify(variables);
  const failure = error && !data ? failureOf(error) : null;
  const last = useRef<{ readonly key: string; readonly data: Data } | null>(null);
  if (data) last.current = { key, data };
  else if (failure && !PASSING.includes(failure.code)) last.current = null;
  const shown = data ?? (!pause && last.current?.key === key ? last.current.data : undefined);
  return {
    data: shown,
    failure: shown ? null : failure,
    isLoading: fetching && !shown,
    reload,
  };
}
