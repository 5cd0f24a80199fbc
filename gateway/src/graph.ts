import './no-telemetry.ts';
import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import { refusal, scopesSuffice } from '@loyalty/platform/access';
import type { Caller } from '@loyalty/platform/caller';
import type { Request } from '@loyalty/platform/context';
import { AppError, forbidden } from '@loyalty/platform/errors';
import type { Log } from '@loyalty/platform/log';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { accessMap } from './access-map.ts';
import { withScalars } from './api-schema.ts';
import { formatError, graphQLErrorOf } from './errors.ts';
import { limitExceeded, limits } from './limits.ts';
import { operationFacts } from './operation.ts';
import type { Transports } from './transport.ts';

/** One operation as a client sent it. */
export interface Operation {
  readonly query: string;
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

export interface OperationResult {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphQLFormattedError[];
}

/** The one graph: whoever executes on it, REST or GraphQL, passes the same checks. */
export interface Graph {
  readonly apollo: ApolloServer<Request>;
  execute(operation: Operation, from: Request): Promise<OperationResult>;
  close(): Promise<void>;
}

/** Loads a supergraph and executes on the given transports. */
export async function createGraph(options: {
  supergraphSdl: string;
  transports: Transports;
  log: Log;
}): Promise<Graph> {
  const { supergraphSdl, transports, log } = options;
  const gateway = new ApolloGateway({
    supergraphSdl,
    logger: quiet(log),
    buildService: ({ name }) => ({
      process: async ({ request, context }) => {
        const transport = transports[name as keyof Transports];
        const { query = '', operationName, variables } = request;
        const result = await transport.execute({ query, operationName, variables }, context as Request);
        return result as never;
      },
    }),
  });
  const apollo = new ApolloServer<Request>({
    gateway,
    logger: quiet(log),
    introspection: true,
    includeStacktraceInErrorResponses: false,
    // APQ belongs to the operation registry of the compiled executor.
    persistedQueries: false,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    parseOptions: { maxTokens: limits.tokens },
    stopOnTerminationSignals: false,
    formatError,
    plugins: [ApolloServerPluginInlineTraceDisabled(), guard(supergraphSdl)],
  });
  await apollo.start();
  // Values of custom scalars are checked at the edge, before any subgraph is asked.
  if (gateway.schema) withScalars(gateway.schema);
  return {
    apollo,
    async execute({ query, operationName, variables }, from) {
      const request = { query, ...(operationName && { operationName }), ...(variables && { variables }) };
      const { body } = await apollo.executeOperation(request, { contextValue: from });
      if (body.kind !== 'single') throw new Error('Incremental delivery is not part of this graph.');
      return body.singleResult as OperationResult;
    },
    close: () => apollo.stop(),
  };
}

/** Refuses an operation before any of it runs: too large, or more than the caller may do. */
function guard(supergraphSdl: string): ApolloServerPlugin<Request> {
  const access = accessMap(supergraphSdl);
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ document, request, schema, contextValue }) {
          const refused = check(document, request.operationName, schema, contextValue.caller);
          if (refused) throw graphQLErrorOf(refused);
        },
      };
    },
  };

  function check(
    document: DocumentNode,
    name: string | undefined,
    schema: GraphQLSchema,
    caller: Caller,
  ): AppError | null {
    const facts = operationFacts(document, name, schema, access);
    const tooLarge = limitExceeded(facts);
    if (tooLarge) return tooLarge;
    if (facts.type === 'subscription') {
      return new AppError(
        'BAD_USER_INPUT',
        'SUBSCRIPTION_OVER_HTTP',
        'Subscriptions are served over WebSocket or Server-Sent Events.',
      );
    }
    if (facts.isIntrospection && !mayIntrospect(caller)) {
      return forbidden(
        'SCOPE_MISSING',
        'Reading the schema needs a signed-in user or the scope introspection:read.',
      );
    }
    for (const required of facts.accesses) {
      const refused = refusal(caller, required);
      if (refused) return refused;
    }
    return null;
  }
}

const mayIntrospect = (caller: Caller): boolean =>
  caller.kind === 'USER' || (caller.kind === 'KEY' && scopesSuffice(caller, [['introspection:read']]));

/** Apollo's own chatter goes to the log as far as an operator can act on it. */
const quiet = (log: Log) => ({
  debug: () => undefined,
  info: () => undefined,
  warn: (message?: unknown) => log.warn(String(message)),
  error: (message?: unknown) => log.error(String(message)),
});
