import { operationFromDocument } from '@apollo/federation-internals';
import { executeQueryPlan } from '@apollo/gateway/dist/executeQueryPlan.js';
import { buildOperationContext } from '@apollo/gateway/dist/operationContext.js';
import resultShaping from '@apollo/gateway/dist/resultShaping.js';
import { prettyFormatQueryPlan, type QueryPlan } from '@apollo/query-planner';
import {
  type Case,
  type ExecuteCase,
  type ExecutorFailure,
  type ExecutorOutcome,
  failuresOf,
  thrown,
} from './case.fixture.ts';
import { answer, newSubgraphRun, type SubgraphCall } from './subgraph.fixture.ts';
import type { World } from './world.fixture.ts';

/** Violations that Apollo omits from its answer when a subgraph reports an error. */
let violations: readonly ExecutorFailure[] = [];
const { computeResponse } = resultShaping;
resultShaping.computeResponse = (parameters) => {
  const response = computeResponse(parameters);
  violations = failuresOf(response.errors);
  return response;
};

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The executor of `@apollo/gateway`. It runs one operation at a time. */
export const apollo: ExecuteCase = async (world, operation, faults): Promise<ExecutorOutcome> => {
  const { document, operationName, variables } = operation;
  const { schema, fullSchema } = world.supergraph;
  const run = newSubgraphRun(faults);
  violations = [];
  const services = Object.fromEntries(
    [...world.subgraphs.keys()].map((name) => [
      name,
      { process: ({ request }: { request: SubgraphCall }) => answer(world, name, request, run) },
    ]),
  );
  try {
    const { data, errors } = await executeQueryPlan(
      planOf(world, operation),
      services as never,
      { request: { variables }, context: {}, metrics: {}, logger: silent } as never,
      buildOperationContext({
        schema,
        operationDocument: document,
        ...(operationName && { operationName }),
      }),
      fullSchema,
      world.stock.federated.apiSchema(),
      undefined,
    );
    const plain = JSON.parse(JSON.stringify({ data }));
    return { ...run, data: plain.data, errors: failuresOf(errors as never), violations };
  } catch (error) {
    return thrown(error);
  }
};

const plans = new WeakMap<Case, QueryPlan>();

function planOf({ stock }: World, asked: Case): QueryPlan {
  const known = plans.get(asked);
  if (known) return known;
  const { document, operationName } = asked;
  const operation = operationFromDocument(stock.federated.apiSchema(), document, {
    ...(operationName && { operationName }),
  });
  const plan = stock.planner.buildQueryPlan(operation);
  plans.set(asked, plan);
  return plan;
}

/** Returns the plan in readable form. */
export const printPlan = (world: World, operation: Case): string => {
  try {
    return prettyFormatQueryPlan(planOf(world, operation));
  } catch (error) {
    return String(error);
  }
};
