import { buildSubgraphSchema } from '@apollo/subgraph';
import { type ExecutionResult, type GraphQLSchema, parse } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { type Resolvers, type ShopSubgraph, shop, subgraphNames } from './shop.ts';

export interface ShopRequest {
  readonly query: string;
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** Executes on one subgraph; each distinct query is compiled once, so that little time is spent here. */
export type ExecuteOnSubgraph = (request: ShopRequest) => ExecutionResult | Promise<ExecutionResult>;

export const schemas = Object.fromEntries(
  subgraphNames.map((name) => {
    const { sdl, resolvers } = shop[name];
    const schema = buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers }]);
    resolveAtOnce(schema, resolvers);
    return [name, schema];
  }),
) as Record<ShopSubgraph, GraphQLSchema>;

/** Apollo's own resolver of entities answers with promises, which cost more than all the rest here. */
function resolveAtOnce(schema: GraphQLSchema, resolvers: Resolvers): void {
  const entities = schema.getQueryType()?.getFields()['_entities'];
  if (!entities) return;
  entities.resolve = (_, { representations }: { representations: { __typename: string }[] }) =>
    representations.map((reference) => {
      const { __typename } = reference;
      return { __typename, ...resolvers[__typename]?.['__resolveReference']?.(reference) };
    });
}

export const subgraphs = Object.fromEntries(
  subgraphNames.map((name) => [name, executor(schemas[name])]),
) as Record<ShopSubgraph, ExecuteOnSubgraph>;

/** Cold operations are always new queries: at most so many compiled ones are kept. */
const QUERIES_KEPT = 5_000;

function executor(schema: GraphQLSchema): ExecuteOnSubgraph {
  const compiled = new Map<string, CompiledQuery>();
  return ({ query, operationName, variables }) => {
    let known = compiled.get(query);
    if (!known) {
      const made = compileQuery(schema, parse(query), operationName);
      if (!isCompiledQuery(made)) return made;
      if (compiled.size >= QUERIES_KEPT) compiled.clear();
      compiled.set(query, made);
      known = made;
    }
    return known.query({}, {}, variables ?? {});
  };
}
