import { type AnyVariables, type TypedDocumentNode, useSubscription } from 'urql';

interface LiveOptions<Data> {
  readonly pause?: boolean;
  readonly onEvent?: (event: Data) => void;
}

/** The latest event of a subscription. It restarts when the socket is opened again. */
export function useLive<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { pause = false, onEvent }: LiveOptions<Data> = {},
): Data | undefined {
  const [{ data }] = useSubscription<Data, Data, Variables>({ query, variables, pause }, (_, event) => {
    onEvent?.(event);
    return event;
  });
  return data;
}
