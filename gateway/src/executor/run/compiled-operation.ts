import { operationFromDocument } from '@apollo/federation-internals';
import type { FetchNode, PlanNode, SubscriptionNode } from '@apollo/query-planner';
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import type { Supergraph } from '../../supergraph/supergraph.ts';
import type { Transports, Variables } from '../../transport/transport.ts';
import { collectFields, type Fragments, fragmentsOf } from '../codegen/collect.ts';
import { type FetchParts, type FetchSettings, partsOf } from '../codegen/fetch.ts';
import { withPrivateNames } from '../codegen/names.ts';
import { compilePlan } from '../codegen/plan.ts';
import { withResolvedConditions } from '../codegen/resolved-conditions.ts';
import { compileShape, type Shape } from '../codegen/shape.ts';
import { withChainsInOrder } from '../planner-workarounds/chained-plan.ts';
import { withFetchesJoined } from '../planner-workarounds/joined-fetches.ts';
import { withoutSyntheticFields } from '../planner-workarounds/synthetic-field-plan.ts';
import { compileIntrospection } from './introspection.ts';
import type { Data, PlanStep } from './plan-run.ts';
import { withoutIntrospection } from './without-introspection.ts';

/** A valid operation, planned and compiled. */
export interface CompiledOperation {
  /** Null if no subgraph is needed. For a subscription: the steps after each event. */
  readonly plan: PlanStep | null;
  /** The first fetch of a subscription, which starts it; null for other operations. */
  readonly primary: { readonly node: FetchNode; readonly parts: FetchParts } | null;
  readonly settings: FetchSettings;
  readonly introspect: ((variables: Variables) => Data) | null;
  readonly shape: Shape;
}

/**
 * Plans a validated operation and generates its code.
 *
 * @param conditions - values of variables in @include and @skip for which it is planned
 * @throws Error if the planner finds no plan
 */
export function compileOperation(
  supergraph: Supergraph,
  transports: Transports,
  document: DocumentNode,
  operationName: string | undefined,
  conditions: Variables,
): CompiledOperation {
  const { schema, fullSchema, federated, planner, plannedFields, syntheticFields } = supergraph;
  const { document: named, publicNames } = withPrivateNames(document, plannedFields);
  const operation = getOperationAST(named, operationName)!;
  const fragments = fragmentsOf(named);
  // The order matters: conditions that exclude introspection would leave unused fragments behind.
  const asked = withoutIntrospection(named, operationName);
  const options = { ...(operationName && { operationName }), validate: false };
  const planned = (left: DocumentNode) =>
    operationFromDocument(federated.apiSchema(), withResolvedConditions(left, conditions), options);
  const { node } = asked ? planner.buildQueryPlan(planned(asked)) : { node: undefined };
  if (!node && asksSubgraphs(operation, fragments, schema.getRootType(operation.operation)!.name)) {
    throw new Error('The planner found no subgraph for this operation.');
  }
  const shownNames = new Map([...syntheticFields].map(([name, { field }]) => [name, field]));
  for (const [name, shown] of publicNames) shownNames.set(name, shown);
  const settings = { schema: fullSchema, federated, transports, publicNames: shownNames };
  const ordered = node && withChainsInOrder(withFetchesJoined(node), supergraph);
  const { primary, rest } = partsOfPlan(ordered && withoutSyntheticFields(ordered, supergraph));
  return {
    plan: rest ? compilePlan(rest, settings) : null,
    primary: primary && { node: primary, parts: partsOf(primary, settings) },
    settings,
    introspect: compileIntrospection(document, operationName, schema, fragmentsOf(document)),
    shape: compileShape(schema, operation, fragments, publicNames),
  };
}

function partsOfPlan(node: PlanNode | SubscriptionNode | undefined): {
  primary: FetchNode | null;
  rest: PlanNode | undefined;
} {
  return node?.kind === 'Subscription'
    ? { primary: node.primary, rest: node.rest }
    : { primary: null, rest: node };
}

/** Returns whether an operation selects anything besides the schema itself, with any variables. */
function asksSubgraphs(operation: OperationDefinitionNode, fragments: Fragments, root: string): boolean {
  const sets = [{ guard: [], selections: operation.selectionSet }];
  return collectFields(sets, fragments, (condition) => condition === root).some(
    ({ node, guards }) => !node.name.value.startsWith('__') && guards.some((guard) => guard.length === 0),
  );
}
