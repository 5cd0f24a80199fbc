import { composeServices } from '@apollo/composition';
import { Supergraph as Federated } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type DocumentNode, type GraphQLSchema, isInterfaceType, isObjectType, parse } from 'graphql';
import { withResolvableKeysFirst } from '../executor/planner-workarounds/key-order.ts';
import { loadSupergraph, plannerConfig, type Supergraph } from '../supergraph/supergraph.ts';
import { createWorldData, type WorldData } from './data.fixture.ts';
import { declarationsOf } from './declarations.fixture.ts';
import type { Thing } from './thing.fixture.ts';

/** A supergraph as declared by its subgraphs; the data is derived from the declarations. */
export interface WorldSource {
  readonly name: string;
  /** SDL by subgraph, without the link to federation. */
  readonly subgraphs: Readonly<Record<string, string>>;
  /**
   * Maximum percentage of operations that Apollo's planner plans wrongly, independent of the executor:
   * fragments on interface objects, and conditions on fields whose requirements were merged with others.
   */
  readonly plannerFaultsMax: number;
}

/** A composed supergraph that can be executed in this process, as a whole or by subgraph. */
export interface World extends Pick<WorldSource, 'name' | 'plannerFaultsMax'> {
  readonly supergraph: Supergraph;
  /** Input of Apollo's planner; its keys are in our order, so that both planners choose the same ones. */
  readonly stock: { readonly federated: Federated; readonly planner: QueryPlanner };
  readonly subgraphs: ReadonlyMap<string, GraphQLSchema>;
  readonly data: WorldData;
}

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: [
  "@key", "@requires", "@provides", "@external", "@shareable", "@override", "@inaccessible",
  "@interfaceObject"
])\n`;

/** Composes a world; throws the first composition error. */
export function buildWorld({ name, subgraphs, plannerFaultsMax }: WorldSource): World {
  const parts = Object.entries(subgraphs).map(([part, sdl]) => ({ name: part, typeDefs: parse(link + sdl) }));
  const { supergraphSdl, errors } = composeServices(parts.map((part) => ({ ...part, url: 'in-process' })));
  if (!supergraphSdl) throw new Error(`${name} does not compose: ${errors?.map(String).join('\n')}`);
  const supergraph = loadSupergraph(supergraphSdl);
  const federated = Federated.build(withResolvableKeysFirst(parse(supergraphSdl, { noLocation: true })));
  // Apollo's executor does not support the conditions.
  const planner = new QueryPlanner(federated, { ...plannerConfig, typeConditionedFetching: false });
  const schemas = new Map<string, GraphQLSchema>();
  const { schema, fullSchema } = supergraph;
  const data = createWorldData(schema, fullSchema, declarationsOf(parts, schemas, fullSchema));
  for (const part of parts) schemas.set(part.name, subgraphSchema(part.typeDefs, data));
  return { name, plannerFaultsMax, supergraph, stock: { federated, planner }, subgraphs: schemas, data };
}

/** Functions of the execution that resolvers of a subgraph call. */
export interface SubgraphContext {
  /** Returns whether the entity of a reference is missing. */
  isMissing(ident: string): boolean;
}

/** An executable subgraph: the field resolver of the execution resolves its fields. */
function subgraphSchema(typeDefs: DocumentNode, data: WorldData): GraphQLSchema {
  const schema = buildSubgraphSchema([{ typeDefs }]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    // Async, so that an unreadable reference fails only itself.
    const resolveReference = async (
      reference: Readonly<Record<string, unknown>>,
      context: SubgraphContext,
    ): Promise<Thing | null> => {
      const thing = data.identify(reference);
      if (context.isMissing(thing.ident)) return null;
      return isInterfaceType(type) ? { ...thing, __typename: thing.ident.split(':')[0] ?? '' } : thing;
    };
    type.extensions = { ...type.extensions, apollo: { subgraph: { resolveReference } } };
  }
  return schema;
}
