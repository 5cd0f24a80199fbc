import type { ApolloGateway, GraphQLDataSource } from '@apollo/gateway';
import type { Request } from '@loyalty/platform/context';
import type { Log } from '@loyalty/platform/observe/log';
import { type GraphQLError, getOperationAST } from 'graphql';
import { LRUCache } from 'lru-cache';
import { warningsOnly } from '../apollo-log.ts';
import { OperationFault } from '../operations/operations.ts';
import { perOperation } from '../operations/per-operation.ts';
import { plannerConfig } from '../supergraph/supergraph.ts';
import type { Send, Transport } from '../transport/transport.ts';
import type { Answer } from './run/answer.ts';
import { type CreateExecutor, createExecutor, createRuns, type ExecutableOperation } from './run/executor.ts';
import { logFaults } from './run/faults.ts';
import type { Data, PlanError } from './run/plan-run.ts';
import { coercionOf } from './run/variants.ts';

/**
 * Loads Apollo Gateway as the engine of queries and mutations. Subscriptions run in the compiled engine,
 * because Apollo Gateway has none.
 */
export async function loadApolloEngine(): Promise<CreateExecutor> {
  // Apollo Gateway sends usage data to its vendor otherwise.
  // biome-ignore lint/style/noProcessEnv: Apollo Gateway has no other setting for it
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
  const { ApolloGateway } = await import('@apollo/gateway');
  return (supergraph, transports, log) => {
    const gateway = new ApolloGateway({
      supergraphSdl: supergraph.sdl,
      buildService: ({ name }) => dataSource(transports[name]!),
      // Apollo Gateway refuses `typeConditionedFetching`.
      queryPlannerConfig: { ...plannerConfig, typeConditionedFetching: false },
      // Our own loading has checked it.
      validateSupergraph: false,
      logger: warningsOnly(log),
    });
    const loading = gateway.load();
    // The first operation gets the error.
    loading.catch(() => {});
    const runs = createRuns();
    const knownOf = perOperation<Known>();
    let operations = 0;
    const { subscribe } = createExecutor(supergraph, transports, log);
    return {
      subscribe,
      compile() {},
      async execute({ document, operationName, variables = {} }, from) {
        const { operation: type, variableDefinitions = [] } = getOperationAST(document, operationName)!;
        const { errors } = coercionOf(supergraph.schema, variableDefinitions, variables);
        if (errors) return { errors };
        const known = knownOf(document, operationName, () => ({ hash: String(++operations) }));
        await loading;
        return runs[type === 'query' ? 'query' : 'mutation'](
          { operation: known, variables, from },
          (request) => answer(gateway, known.hash, { document, operationName, variables }, request, log),
        );
      },
    };
  };
}

/** An operation: its identity for equal queries, and the text by which Apollo Gateway finds its plan. */
interface Known {
  readonly hash: string;
}

/** Maximum of prepared operations per subgraph. */
const PREPARED_MAX = 2_000;

/** Sends the fetches of Apollo Gateway over one of our transports. */
function dataSource(transport: Transport): GraphQLDataSource {
  const prepared = new LRUCache<string, Send>({ max: PREPARED_MAX });
  return {
    async process({ request: { query = '', operationName, variables = {} }, context }) {
      const send = prepared.get(query) ?? transport.prepare({ query, operationName });
      prepared.set(query, send);
      return (await send(variables, context as unknown as Request)) as never;
    },
  };
}

async function answer(
  gateway: ApolloGateway,
  queryHash: string,
  { document, operationName, variables }: ExecutableOperation,
  from: Request,
  log: Log,
): Promise<Answer> {
  const request = { variables, ...(operationName && { operationName }) };
  const given = { document, queryHash, request, operationName, context: from, metrics: {}, logger: log };
  const result = await gateway.executor(given as never).catch((cause: unknown) => {
    throw new OperationFault('Apollo Gateway could not plan or run the operation.', { cause });
  });
  const { valueCompletion = [] } = (result.extensions ?? {}) as { valueCompletion?: GraphQLError[] };
  const faults = [...(result.errors ?? []).filter((error) => !isOfSubgraph(error)), ...valueCompletion];
  logFaults({ faults, from }, log);
  const errors = [...(result.errors ?? []), ...valueCompletion].map(planError);
  const data = (result.data ?? null) as Data | null;
  return errors.length > 0 ? { data, errors } : { data };
}

/** Returns whether a subgraph has sent the error. The others are about answers that do not fit the graph. */
const isOfSubgraph = ({ extensions }: Thrown): boolean => extensions?.['serviceName'] !== undefined;

type Thrown = Pick<PlanError, 'message' | 'path' | 'extensions'>;

/** `http` of a subgraph describes its own response. */
function planError(error: Thrown): PlanError {
  const { message, path } = error;
  const { serviceName: _, http: __, ...sent } = error.extensions ?? {};
  const extensions = isOfSubgraph(error) ? sent : { code: 'INTERNAL_SERVER_ERROR' };
  return { message, ...(path && { path }), extensions };
}
