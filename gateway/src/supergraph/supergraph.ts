import { readFileSync } from 'node:fs';
import { Supergraph as Federated } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import type { AccessMap } from '@loyalty/platform/identity/access';
import { type ConstDirectiveNode, type DocumentNode, type GraphQLSchema, Kind, parse, visit } from 'graphql';
import { chainedFields } from '../executor/planner-workarounds/chained-fields.ts';
import { withResolvableKeysFirst } from '../executor/planner-workarounds/key-order.ts';
import {
  type SyntheticFields,
  withSyntheticFields,
} from '../executor/planner-workarounds/synthetic-fields.ts';
import { accessMap, supergraphFile, withScalars } from './supergraph-sdl.ts';

/** A composed graph, loaded for planning. */
export interface Supergraph {
  readonly sdl: string;
  /** What clients see; custom scalars check values. */
  readonly schema: GraphQLSchema;
  /** With everything that only subgraphs see. */
  readonly fullSchema: GraphQLSchema;
  /** What the planner plans on: the supergraph with synthetic fields. */
  readonly federated: Federated;
  readonly planner: QueryPlanner;
  readonly syntheticFields: SyntheticFields;
  /** Names of fields with @requires that other fields require in turn. */
  readonly chainedFields: ReadonlySet<string>;
  readonly access: AccessMap;
  /** Fields that plans fetch for themselves: those of every @key, @requires and @provides. */
  readonly plannedFields: ReadonlySet<string>;
}

/**
 * Loads a composed supergraph.
 *
 * @param options.isValid - composition has just checked it, or the build has: the rules of GraphQL and of
 *   federation are not checked again, which takes half of the time. Default false.
 * @throws Error where the SDL is not valid, or uses features of federation that cannot be executed
 */
export function loadSupergraph(sdl: string, { isValid = false } = {}): Supergraph {
  const document = withResolvableKeysFirst(parse(sdl, { noLocation: true }));
  const { planned, syntheticFields } = withSyntheticFields(document);
  const shown = Federated.build(document, { validateSupergraph: !isValid });
  const federated = planned === document ? shown : Federated.build(planned, { validateSupergraph: false });
  return {
    sdl,
    federated,
    syntheticFields,
    chainedFields: chainedFields(planned),
    schema: withScalars(shown.apiSchema().toGraphQLJSSchema()),
    fullSchema: shown.schema.toGraphQLJSSchema(),
    planner: new QueryPlanner(federated, plannerConfig),
    access: accessMap(sdl),
    plannedFields: plannedFields(planned),
  };
}

let committed: Supergraph | undefined;

/**
 * The supergraph of this product, loaded once in a process. Everybody shares it, so nobody may change it: a
 * schema, a planner and its plans depend on the committed file alone.
 */
export const committedSupergraph = (): Supergraph => {
  committed ??= loadSupergraph(readFileSync(supergraphFile, 'utf8'), { isValid: true });
  return committed;
};

/**
 * Planning blocks all other requests, so the number of plans that are compared for one operation is bounded.
 * Fetches do not reuse the client's fragments: that takes time, and the planner workarounds do not read them.
 * Under a union or an interface each type has a fetch of its own: a common fetch could ask for fields of
 * objects that the client did not select, and fail because of them.
 */
export const plannerConfig = {
  reuseQueryFragments: false,
  typeConditionedFetching: true,
  debug: { maxEvaluatedPlans: 1_000 },
};

const SELECTIONS = new Set(['key', 'requires', 'provides']);

function plannedFields(supergraph: DocumentNode): Set<string> {
  const names = new Set(['__typename']);
  const read = (directive: ConstDirectiveNode) => {
    if (!directive.name.value.startsWith('join__')) return;
    for (const { name, value } of directive.arguments ?? []) {
      if (!SELECTIONS.has(name.value) || value.kind !== Kind.STRING) continue;
      visit(parse(`{ ${value.value} }`), { Field: (field) => void names.add(field.name.value) });
    }
  };
  visit(supergraph, {
    Directive: (directive) => read(directive as ConstDirectiveNode),
  });
  return names;
}
