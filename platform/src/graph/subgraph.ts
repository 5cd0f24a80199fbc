import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  createSourceEventStream,
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { AppError } from '../base/errors.ts';
import { mapIterator } from '../base/iterators.ts';
import type { SubgraphName } from '../base/subgraph-name.ts';
import type { Context } from '../context.ts';
import { createContext } from '../database/create-context.ts';
import { inRowQueue, queuedRowOf } from '../database/row-queues.ts';
import { type Access, accessOf } from '../identity/access.ts';
import { type Demands, demandsOf } from '../identity/asked-fields.ts';
import { withChangedCredentials } from '../identity/credentials.ts';
import { isReplayingItself, once, withReplays } from '../identity/idempotency.ts';
import { refusal, refusalAmong } from '../identity/refusal.ts';
import { carriesSecret } from '../identity/secrets.ts';
import { areSnapshots, asSnapshots } from '../subscriptions/snapshots.ts';
import { eventExecution } from './event-execution.ts';
import { graphErrors } from './graph-errors.ts';
import { checkIds, idPaths } from './id-arguments.ts';
import { scalars } from './scalars.ts';
import { readTypeDefs } from './type-defs.ts';

/** An executable subgraph, in this process or as a server. */
export interface Subgraph {
  readonly name: SubgraphName;
  /** The SDL that composition reads. */
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

/**
 * Builds a subgraph from its folder of SDL and the resolvers of its nouns.
 *
 * @param nouns - modules that export resolvers by type name; only one noun may resolve a field
 */
export function defineSubgraph(
  name: SubgraphName,
  directory: string,
  nouns: readonly TypeResolvers[],
): Subgraph {
  const typeDefs = readTypeDefs(directory);
  const schema = buildSubgraphSchema([{ typeDefs, resolvers: mergeNouns(nouns) as never }]);
  for (const field of listsOf(schema)) {
    const resolve = (field.resolve ?? defaultFieldResolver) as Resolver;
    field.resolve = (parent, args, ctx, info) => resolve(parent, args, ctx.forLists(), info);
  }
  for (const type of rootsOf(schema)) {
    for (const field of Object.values(type.getFields())) {
      const access = accessOf(field);
      if (!access) continue;
      const ids = idPaths(field.args);
      const resolve = (field.resolve ?? defaultFieldResolver) as Resolver;
      const guarded = guard(resolve, access, ids);
      const isReplayed = type === schema.getMutationType() && !isReplayingItself(resolve);
      const rowOf = queuedRowOf(resolve);
      // `resolve` is guarded, too, because the arguments are read again for every event.
      if (field.subscribe) field.subscribe = guard(field.subscribe as Resolver, access, ids) as never;
      const replayed = isReplayed ? replayable(guarded, field.name, carriesSecret(field as never)) : guarded;
      field.resolve = (rowOf ? queued(replayed, rowOf) : replayed) as NonNullable<typeof field.resolve>;
    }
  }
  return { name, typeDefs, schema };
}

const rootsOf = (schema: GraphQLSchema): GraphQLObjectType[] =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (type): type is GraphQLObjectType => Boolean(type),
  );

/** Returns the fields, of any type, that list or summarize rows. */
const listsOf = (schema: GraphQLSchema): GraphQLField<unknown, Context>[] =>
  Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .flatMap((type) => Object.values(type.getFields()))
    .filter(
      ({ type, astNode }) =>
        getNamedType(type).name.endsWith('Connection') ||
        astNode?.directives?.some(({ name }) => name.value === 'report'),
    );

function mergeNouns(nouns: readonly TypeResolvers[]): TypeResolvers {
  const merged: Record<string, Record<string, unknown>> = { ...scalars };
  for (const [typeName, fields] of nouns.flatMap((noun) => Object.entries(noun))) {
    merged[typeName] ??= {};
    const target = merged[typeName];
    for (const [fieldName, resolver] of Object.entries(fields as Record<string, unknown>)) {
      if (fieldName in target) throw new Error(`${typeName}.${fieldName} is resolved by two nouns.`);
      target[fieldName] = resolver;
    }
  }
  return merged;
}

/** Checks access in the root field, too, for operations that did not come through `executeSubgraph`. */
function guard(resolve: Resolver, access: Access, ids: readonly string[]): Resolver {
  return (parent, args, ctx, info) => {
    const refused = refusal(ctx.caller, access);
    if (refused) throw refused;
    checkIds(args, ids);
    return resolve(parent, args, ctx, info);
  };
}

/** Waits for the row before `once` opens a transaction, because a transaction would hold a connection. */
const queued =
  (resolve: Resolver, rowOf: NonNullable<ReturnType<typeof queuedRowOf>>): Resolver =>
  (parent, args, ctx, info) =>
    inRowQueue(ctx, rowOf(args), async () => resolve(parent, args, ctx, info));

/**
 * Makes a mutation honour the Idempotency-Key, and drops data that was loaded before it. For a mutation with
 * a secret, neither the answer nor a fingerprint of the call may be stored, so it always runs.
 */
function replayable(resolve: Resolver, name: string, isSecret: boolean): Resolver {
  return async (parent, args, ctx, info) => {
    ctx.forget();
    const answer =
      ctx.request.idempotencyKey && !isSecret
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

/** Parses and validates a document, or returns its errors; valid documents are cached. */
export function readDocument({ schema }: Subgraph, query: string): DocumentNode | readonly GraphQLError[] {
  const cache = documentsOf(schema);
  const kept = cache.get(query);
  if (kept) return kept;
  try {
    const document = parse(query);
    const faults = validate(schema, document);
    if (faults.length > 0) return faults;
    cache.set(query, document);
    return document;
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

/** Returns whether a request is a mutation; false if it cannot be read. */
export function isMutation(subgraph: Subgraph, { query, operationName }: SubgraphRequest): boolean {
  const document = readDocument(subgraph, query);
  return isDocument(document) && getOperationAST(document, operationName)?.operation === 'mutation';
}

const isDocument = (read: DocumentNode | readonly GraphQLError[]): read is DocumentNode => 'kind' in read;

const asked = new WeakMap<DocumentNode, Map<string, Demands<Access>>>();

/**
 * The second access check: a subgraph that is called without the gateway refuses the same fields, including
 * fields of `_entities`. It runs once per operation, not once per row.
 */
function refusalOf(
  subgraph: Subgraph,
  document: DocumentNode,
  request: SubgraphRequest,
  { caller }: Context,
) {
  if (!getOperationAST(document, request.operationName)) return null;
  const byName = asked.get(document) ?? new Map<string, Demands<Access>>();
  asked.set(document, byName);
  const name = request.operationName ?? '';
  const demands = byName.get(name) ?? demandsIn(subgraph, document, request.operationName);
  byName.set(name, demands);
  return refusalAmong(caller, demands(request.variables ?? {}));
}

function demandsIn({ schema }: Subgraph, document: DocumentNode, operationName: string | undefined) {
  return demandsOf(document, operationName, schema, (typeName, fieldName) => {
    const type = schema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
    return (field && accessOf(field)) ?? undefined;
  });
}

const refusedResult = (refused: AppError, ctx: Context): ExecutionResult => ({
  data: null,
  errors: graphErrors([causedBy(refused)], ctx),
});

const argumentsOf = ({ variables, operationName }: SubgraphRequest) => ({
  ...(variables && { variableValues: variables }),
  ...(operationName && { operationName }),
});

/** Runs one request. The result contains plain JSON values and errors that clients may see. */
export async function executeSubgraph(
  subgraph: Subgraph,
  request: SubgraphRequest,
  ctx: Context,
): Promise<ExecutionResult> {
  const document = readDocument(subgraph, request.query);
  if (!isDocument(document)) return { errors: document };
  const refused = refusalOf(subgraph, document, request, ctx);
  if (refused) return refusedResult(refused, ctx);
  const { schema } = subgraph;
  const result = await execute({ schema, document, contextValue: ctx, ...argumentsOf(request) });
  if (isMutation(subgraph, request)) await ctx.services.replica?.noteWrite(ctx.caller);
  return withReplays(withChangedCredentials(shown(result, ctx), ctx.request), ctx.request);
}

const shown = (result: ExecutionResult, ctx: Context): ExecutionResult =>
  result.errors ? { data: result.data ?? null, errors: graphErrors(result.errors, ctx) } : result;

/**
 * Starts a subscription: returns an iterator of results, or the refusal. Every event is executed separately,
 * so that loaded rows are never older than the event. A snapshot is executed once for equal requests of one
 * caller. The iterator ends with its source, by `return()`, or when `ctx.request.signal` aborts. If the
 * source fails, the last result has errors and no data.
 */
export async function subscribeSubgraph(
  subgraph: Subgraph,
  request: SubgraphRequest,
  ctx: Context,
): Promise<AsyncIterableIterator<ExecutionResult, undefined> | ExecutionResult> {
  const document = readDocument(subgraph, request.query);
  if (!isDocument(document)) return { errors: document };
  const refused = refusalOf(subgraph, document, request, ctx);
  if (refused) return { errors: graphErrors([causedBy(refused)], ctx) };
  const over = new AbortController();
  const end = () => over.abort();
  ctx.request.signal.addEventListener('abort', end, { once: true });
  over.signal.addEventListener('abort', () => ctx.request.signal.removeEventListener('abort', end), {
    once: true,
  });
  if (ctx.request.signal.aborted) end();
  const { requestId, address, missedMs } = ctx.request;
  const asked = { caller: ctx.caller, requestId, address, missedMs, signal: over.signal };
  const contextValue = createContext(ctx.services, asked);
  const run = { schema: subgraph.schema, document, ...argumentsOf(request) };
  const source = await createSourceEventStream({ ...run, contextValue });
  if (!(Symbol.asyncIterator in source)) {
    end();
    return { errors: graphErrors(source.errors ?? [], ctx) };
  }
  const isShared = areSnapshots(source);
  const executeEvent = eventExecution(request, ctx, isShared, async (rootValue, eventContext) =>
    shown(await execute({ ...run, rootValue, contextValue: eventContext }), eventContext),
  );
  const results = mapIterator<unknown, ExecutionResult>(source[Symbol.asyncIterator](), {
    map: executeEvent,
    lastOf: (error) => ({ errors: graphErrors([causedBy(error as Error)], ctx) }),
    onEnd: end,
  });
  if (over.signal.aborted) await results.return!();
  else over.signal.addEventListener('abort', () => void results.return!(), { once: true });
  return isShared ? asSnapshots(results) : results;
}

const causedBy = (originalError: Error): GraphQLError =>
  new GraphQLError(originalError.message, { originalError });
