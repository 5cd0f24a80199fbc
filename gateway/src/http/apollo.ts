import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { Request } from '@loyalty/platform/context';
import type { Log } from '@loyalty/platform/observe/log';
import type { DocumentNode } from 'graphql';
import { limits } from '../admission/limits.ts';
import { warningsOnly } from '../apollo-log.ts';
import { formatError, formatErrors, thrownErrors } from '../error-formatting.ts';
import type { Graph } from '../graph.ts';
import { listedOnly, type PersistedOperations } from '../operations/persisted.ts';

/**
 * Headers that forms and links of other sites cannot set. A GET request with one of them comes from a script
 * that is allowed to send it, or not from a browser.
 */
const UNFORGEABLE = ['apollo-require-preflight', 'x-apollo-operation-name', 'authorization', 'x-api-key'];

/**
 * Apollo Server handles GraphQL over HTTP: media types, statuses, GET, CSRF prevention, persisted queries.
 * The graph handles the operation, from validation to the form of the answer.
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
      // Called only once, because Apollo Server only parses and needs no later schema.
      onSchemaLoadOrUpdate(load) {
        load({ apiSchema: schema, coreSupergraphSdl: sdl });
        return () => undefined;
      },
      async stop() {},
    },
    logger: warningsOnly(log),
    introspection: true,
    // The graph validates after it has measured the document.
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

/** The part of Apollo Server's arguments for a gateway that is used here. */
interface ExecutorRequest {
  readonly source: string;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly request: { readonly operationName?: string; readonly variables?: Record<string, unknown> };
  readonly context: unknown;
}

async function execute(graph: Graph, { source, document, request, context }: ExecutorRequest) {
  const { operationName, variables } = request;
  const operation = { query: source, operationName, variables };
  const { errors, ...outcome } = await graph.answer(operation, context as Request, document);
  return errors ? { ...outcome, errors: thrownErrors(errors) } : (outcome as never);
}
