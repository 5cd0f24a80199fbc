import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { Request } from '@loyalty/platform/context';
import type { Log } from '@loyalty/platform/operations/log';
import type { DocumentNode } from 'graphql';
import { limits } from '../admission/limits.ts';
import { formatError, formatErrors, thrownErrors } from '../error-formatting.ts';
import type { Graph } from '../graph.ts';
import { listedOnly, type PersistedOperations } from '../operations/persisted.ts';

/**
 * Headers that no form and no link of a foreign page can send: a request by GET that has one comes from a
 * script that was allowed to, or from no browser.
 */
const UNFORGEABLE = ['apollo-require-preflight', 'x-apollo-operation-name', 'authorization', 'x-api-key'];

/**
 * GraphQL over HTTP as Apollo Server speaks it: media types, statuses, GET, CSRF prevention, persisted
 * queries. The operation itself is the graph's, from validation to the shape of the answer.
 */
export async function createApollo(
  graph: Graph,
  log: Log,
  { isOpen = false, persisted }: { isOpen?: boolean; persisted?: PersistedOperations } = {},
): Promise<ApolloServer<Request>> {
  const { schema, sdl } = graph.supergraph;
  const apollo = new ApolloServer<Request>({
    gateway: {
      async load() {
        return { executor: (context) => execute(graph, context) };
      },
      // Never told of another schema: Apollo Server only parses.
      onSchemaLoadOrUpdate(tell) {
        tell({ apiSchema: schema, coreSupergraphSdl: sdl });
        return () => undefined;
      },
      async stop() {},
    },
    logger: quiet(log),
    introspection: true,
    // The graph validates, after it has measured the document; once is enough.
    dangerouslyDisableValidation: true,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: { requestHeaders: UNFORGEABLE },
    allowBatchedHttpRequests: false,
    parseOptions: isOpen ? {} : { maxTokens: limits.tokens },
    stopOnTerminationSignals: false,
    persistedQueries: persisted ? { cache: persisted.cache } : false,
    formatError: isOpen ? (_, error) => formatErrors(thrownErrors([error as never]), true)[0]! : formatError,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ...(persisted ? [listedOnly(persisted)] : []),
    ],
  });
  await apollo.start();
  return apollo;
}

/** What Apollo Server hands to a gateway, as far as it is of interest. */
interface Handed {
  readonly source: string;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly request: { readonly operationName?: string; readonly variables?: Record<string, unknown> };
  readonly context: unknown;
}

async function execute(graph: Graph, { source, document, request, context }: Handed) {
  const { operationName, variables } = request;
  const operation = { query: source, operationName, variables };
  const { errors, ...outcome } = await graph.answer(operation, context as Request, document);
  return errors ? { ...outcome, errors: thrownErrors(errors) } : (outcome as never);
}

/** Apollo's own chatter goes to the log as far as an operator can act on it. */
const quiet = (log: Log) => ({
  debug: () => undefined,
  info: () => undefined,
  warn: (message?: unknown) => log.warn(String(message)),
  error: (message?: unknown) => log.error(String(message)),
});
