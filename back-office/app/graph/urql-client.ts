import { createClient as createSocket } from 'graphql-ws';
import { Client, cacheExchange, fetchExchange, mapExchange, subscriptionExchange } from 'urql';
import { foundConnection, lostConnection } from './connection.ts';
import { fetchFor } from './first-request.ts';
import { hiddenDataExchange } from './hidden-data.ts';
import { scopeHeaders, type ViewScope } from './scope.ts';
import { endedSession, refusedRight } from './session.ts';
import { outdated } from './signal.ts';

const SECOND_MS = 1_000;
const LONGEST_WAIT_S = 30;
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reasons that occur only if the menu is outdated. */
const RIGHTS = ['ROLE_REQUIRED', 'SCOPE_MISSING', 'MODULE_DISABLED'];

/** The client of the graph for one workspace and mode. Queries run again after a mutation of their types. */
export interface OpenGraph {
  readonly client: Client;
  readonly scope: ViewScope;
  /** Are personal data of members masked? */
  readonly isMasked: boolean;
  /** Opens the socket again with the current session. Subscriptions restart by themselves. */
  reconnect(): void;
  close(): void;
}

export function createGraph(scope: ViewScope, isMasked: boolean): OpenGraph {
  const headers = scopeHeaders(scope);
  const socket = createSocket({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: headers,
    lazy: true,
    lazyCloseTimeout: 5_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: (retries) =>
      delay(retries === 0 ? 0 : Math.min(2 ** retries, LONGEST_WAIT_S) * SECOND_MS * Math.random()),
    on: { connected: (_socket, _payload, wasRetry) => wasRetry && outdated.send() },
  });
  const client = new Client({
    url: '/graphql',
    fetch: fetchFor(scope),
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetchOptions: () => ({ headers }),
    exchanges: [
      mapExchange({
        onResult: ({ error }) => (error?.networkError ? undefined : foundConnection()),
        onError({ graphQLErrors, networkError, response }) {
          if (networkError && !response) lostConnection();
          const isRefused = graphQLErrors.some(({ extensions }) => extensions['code'] === 'UNAUTHENTICATED');
          if (isRefused || response?.status === 401) endedSession();
          if (graphQLErrors.some(({ extensions }) => RIGHTS.includes(String(extensions['reason']))))
            refusedRight();
        },
      }),
      ...(isMasked ? [hiddenDataExchange] : []),
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }),
        }),
      }),
    ],
  });
  return {
    ...{ client, scope, isMasked },
    reconnect: () => socket.terminate(),
    close: () => void socket.dispose(),
  };
}
