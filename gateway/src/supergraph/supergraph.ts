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
  /** The schema for clients; custom scalars check values. */
  readonly schema: GraphQLSchema;
  /** The schema with all parts that only subgraphs see. */
  readonly fullSchema: GraphQLSchema;
  /** The input of the planner: the supergraph with synthetic fields. */
  readonly federated: Federated;
  readonly planner: QueryPlanner;
  readonly syntheticFields: SyntheticFields;
  /** Names of fields with @requires that other fields require in turn. */
  readonly chainedFields: ReadonlySet<string>;
  readonly access: AccessMap;
  /** Fields that plans may add: those of every @key, @requires and @provides. */
  readonly plannedFields: ReadonlySet<string>;
}

/**
 * Loads a composed supergraph.
 *
 * @param options.isValid - true if composition or the build has already checked the SDL. The rules of GraphQL
 *   and of federation are then not checked again, which takes half of the time. Default false.
 * @throws Error if the SDL is invalid, or uses features of federation that cannot be executed
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
 * Returns the supergraph of this product, loaded once per process. It is shared, so it must not be changed: a
 * schema, a planner and its plans depend only on the committed file.
 */
export const committedSupergraph = (): Supergraph => {
  committed ??= loadSupergraph(readFileSync(supergraphFile, 'utf8'), { isValid: true });
  return committed;
};

/**
 * Planning blocks all other requests, so the number of compared plans per operation is limited. Fetches do
 * not reuse the client's fragments, because that takes time and the planner workarounds do not support them.
 * Under a union or an interface, each type has its own fetch: a common fetch could request fields of objects
 * that the client did not select, and fail because of them.
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
