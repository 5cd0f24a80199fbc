import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionResult,
  execute,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { type Access, accessOf, refusal } from './access.ts';
import type { Context } from './context.ts';
import { graphErrors } from './graph-errors.ts';
import { checkIds, idPaths } from './id-arguments.ts';
import { once } from './idempotency.ts';
import { scalars } from './scalars.ts';

export type SubgraphName = 'workspace' | 'loyalty' | 'commerce' | 'engagement' | 'model';

/** An executable subgraph, wherever it runs. */
export interface Subgraph {
  readonly name: SubgraphName;
  /** Its SDL, as composition reads it. */
  readonly typeDefs: DocumentNode;
  readonly schema: GraphQLSchema;
}

type Resolver = GraphQLFieldResolver<unknown, Context>;
type TypeResolvers = Readonly<Record<string, unknown>>;

/** One request to a subgraph. */
export interface SubgraphRequest {
  readonly query: string;
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

const preludeFile = new URL('./schema/prelude.graphql', import.meta.url);

/** The SDL of a subgraph: the prelude, then every .graphql file below its folder, by path. */
export function readTypeDefs(directory: string): DocumentNode {
  const files = globSync('**/*.graphql', { cwd: directory }).sort();
  const sources = [
    readFileSync(preludeFile, 'utf8'),
    ...files.map((file) => readFileSync(join(directory, file), 'utf8')),
  ];
  return parse(sources.join('\n'));
}

/**
 * Builds a subgraph from its folder of SDL and its slices' resolvers.
 *
 * @param slices - each a module that exports resolvers by type name; only one slice may resolve a field
 */
export function defineSubgraph(
  name: SubgraphName,
  directory: string,
  slices: readonly TypeResolvers[],
): Subgraph {
  const typeDefs = readTypeDefs(directory);
  const schema = buildSubgraphSchema([{ typeDefs, resolvers: mergeSlices(slices) as never }]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(type instanceof GraphQLObjectType) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const access = accessOf(field);
      if (!access) continue;
      const root = [schema.getMutationType(), schema.getQueryType()].includes(type);
      const resolve = (field.resolve ?? defaultFieldResolver) as Resolver;
      const guarded = guard(resolve, access, root ? idPaths(field.args) : []);
      field.resolve = (
        type === schema.getMutationType() ? replayable(guarded, field.name) : guarded
      ) as NonNullable<typeof field.resolve>;
    }
  }
  return { name, typeDefs, schema };
}

function mergeSlices(slices: readonly TypeResolvers[]): TypeResolvers {
  const merged: Record<string, Record<string, unknown>> = { ...scalars };
  for (const [typeName, fields] of slices.flatMap((slice) => Object.entries(slice))) {
    merged[typeName] ??= {};
    const target = merged[typeName];
    for (const [fieldName, resolver] of Object.entries(fields as Record<string, unknown>)) {
      if (fieldName in target) throw new Error(`${typeName}.${fieldName} is resolved by two slices.`);
      target[fieldName] = resolver;
    }
  }
  return merged;
}

/** The second lock: a subgraph that is reached past the gateway refuses just the same. */
function guard(resolve: Resolver, access: Access, ids: readonly string[]): Resolver {
  return (parent, args, ctx, info) => {
    const refused = refusal(ctx.caller, access);
    if (refused) throw refused;
    checkIds(args, ids);
    return resolve(parent, args, ctx, info);
  };
}

/** Every mutation honours an Idempotency-Key, and is answered with nothing that was loaded before it. */
function replayable(resolve: Resolver, name: string): Resolver {
  return async (parent, args, ctx, info) => {
    ctx.forget();
    const answer = ctx.idempotencyKey
      ? await once(ctx, name, args, async (tx) => resolve(parent, args, tx, info))
      : await resolve(parent, args, ctx, info);
    ctx.forget();
    return answer;
  };
}

const documents = new WeakMap<GraphQLSchema, LRUCache<string, DocumentNode>>();

function documentsOf(schema: GraphQLSchema): LRUCache<string, DocumentNode> {
  const kept = documents.get(schema) ?? new LRUCache<string, DocumentNode>({ max: 2_000 });
  documents.set(schema, kept);
  return kept;
}

/** Runs one request; the result holds plain JSON values and errors that are safe to show. */
export async function executeSubgraph(
  subgraph: Subgraph,
  request: SubgraphRequest,
  ctx: Context,
): Promise<ExecutionResult> {
  const { schema } = subgraph;
  const cache = documentsOf(schema);
  let document = cache.get(request.query);
  if (!document) {
    document = parse(request.query);
    const faults = validate(schema, document);
    if (faults.length > 0) return { errors: faults };
    cache.set(request.query, document);
  }
  const result = await execute({
    schema,
    document,
    contextValue: ctx,
    ...(request.variables && { variableValues: request.variables }),
    ...(request.operationName && { operationName: request.operationName }),
  });
  return result.errors ? { data: result.data ?? null, errors: graphErrors(result.errors, ctx) } : result;
}
