import { Supergraph as Federated } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import type { AccessMap } from '@loyalty/platform/caller/access';
import { type ConstDirectiveNode, type DocumentNode, type GraphQLSchema, Kind, parse, visit } from 'graphql';
import { chainedFields } from '../planner-workarounds/chained-fields.ts';
import { withResolvableKeysFirst } from '../planner-workarounds/key-order.ts';
import { type SyntheticFields, withSyntheticFields } from '../planner-workarounds/synthetic-fields.ts';
import { accessMap } from './access-map.ts';
import { withScalars } from './api-schema.ts';

/** One composed graph, ready to plan operations on. */
export interface Supergraph {
  readonly sdl: string;
  /** What clients see; custom scalars check values. */
  readonly schema: GraphQLSchema;
  /** With everything that clients do not see, as subgraphs speak among themselves. */
  readonly fullSchema: GraphQLSchema;
  /** What plans are made of: the supergraph, and stand-ins in it. */
  readonly federated: Federated;
  readonly planner: QueryPlanner;
  readonly syntheticFields: SyntheticFields;
  /** Names of fields that are required and require something themselves. */
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
 * @throws Error where the SDL is none or uses features of federation that cannot be executed
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

/**
 * Planning holds up everybody, so the plans that are weighed for one operation are bounded, and no time goes
 * into finding the client's fragments again in fetches; what mends plans could not read them either. Under a
 * union or an interface each type is fetched for by itself: together, a subgraph would be asked for fields of
 * objects that the client did not ask for, and fail at them.
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
