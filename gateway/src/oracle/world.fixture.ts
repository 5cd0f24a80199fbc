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

/** A supergraph as its subgraphs declare it; the data follow from the declarations. */
export interface WorldSource {
  readonly name: string;
  /** SDL by subgraph, without the link to federation. */
  readonly subgraphs: Readonly<Record<string, string>>;
  /**
   * Operations of a hundred that Apollo's planner may plan wrongly, whoever executes the plan: fragments on
   * interface objects, and conditions on fields whose requirements were merged with others'.
   */
  readonly plannerFaultsMax: number;
}

/** A composed supergraph that can be executed in this process, whole or by subgraph. */
export interface World extends Pick<WorldSource, 'name' | 'plannerFaultsMax'> {
  readonly supergraph: Supergraph;
  /** What Apollo plans with; keys are in the order of ours, so that both choose the same ones. */
  readonly stock: { readonly federated: Federated; readonly planner: QueryPlanner };
  readonly subgraphs: ReadonlyMap<string, GraphQLSchema>;
  readonly data: WorldData;
}

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: [
  "@key", "@requires", "@provides", "@external", "@shareable", "@override", "@inaccessible",
  "@interfaceObject"
])\n`;

/** Composes a world; throws with the first reason why it does not compose. */
export function buildWorld({ name, subgraphs, plannerFaultsMax }: WorldSource): World {
  const parts = Object.entries(subgraphs).map(([part, sdl]) => ({ name: part, typeDefs: parse(link + sdl) }));
  const { supergraphSdl, errors } = composeServices(parts.map((part) => ({ ...part, url: 'in-process' })));
  if (!supergraphSdl) throw new Error(`${name} does not compose: ${errors?.map(String).join('\n')}`);
  const supergraph = loadSupergraph(supergraphSdl);
  const federated = Federated.build(withResolvableKeysFirst(parse(supergraphSdl, { noLocation: true })));
  // Apollo's executor does not know the conditions.
  const planner = new QueryPlanner(federated, { ...plannerConfig, typeConditionedFetching: false });
  const schemas = new Map<string, GraphQLSchema>();
  const { schema, fullSchema } = supergraph;
  const data = createWorldData(schema, fullSchema, declarationsOf(parts, schemas, fullSchema));
  for (const part of parts) schemas.set(part.name, subgraphSchema(part.typeDefs, data));
  return { name, plannerFaultsMax, supergraph, stock: { federated, planner }, subgraphs: schemas, data };
}

/** What the resolvers of a subgraph ask of the execution. */
export interface SubgraphContext {
  /** True when the entity behind a reference is missing. */
  isMissing(ident: string): boolean;
}

/** An executable subgraph: its fields are resolved by the field resolver of the execution. */
function subgraphSchema(typeDefs: DocumentNode, data: WorldData): GraphQLSchema {
  const schema = buildSubgraphSchema([{ typeDefs }]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    // Async, so that a reference that cannot be read costs itself only.
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
