import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';
import { type Faults, fieldFault, isMissing, type Outage } from './faults.fixture.ts';
import { canonical, hashOf } from './hash.fixture.ts';
import type { Thing } from './thing.fixture.ts';
import type { SubgraphContext, World } from './world.fixture.ts';

/** One request to a subgraph. */
export interface SubgraphCall {
  readonly query: string;
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** Records of one operation's execution. */
export interface SubgraphRun {
  readonly faults: Faults;
  /** Root fields of mutations in execution order. */
  readonly mutations: string[];
  /** Requested fields that the schema of a subgraph does not have. */
  readonly invalid: string[];
}

export const newSubgraphRun = (faults: Faults): SubgraphRun => ({ faults, mutations: [], invalid: [] });

interface Context extends SubgraphContext {
  readonly world: World;
  readonly subgraph: string;
  readonly run: SubgraphRun;
}

/** Answers like a subgraph in another process: plain JSON, including faults. */
export async function answer(
  world: World,
  subgraph: string,
  call: SubgraphCall,
  run: SubgraphRun,
): Promise<ExecutionResult> {
  const schema = world.subgraphs.get(subgraph);
  if (!schema) throw new Error(`There is no subgraph ${subgraph}.`);
  const { document, invalid } = read(schema, call.query);
  if (invalid) {
    run.invalid.push(`${subgraph} was sent ${call.query}: ${invalid.message}`);
    return { errors: [invalid] };
  }
  const contextValue: Context = {
    world,
    subgraph,
    run,
    isMissing: (ident) => isMissing(run.faults, subgraph, ident),
  };
  const result = await execute({
    schema,
    document,
    operationName: call.operationName,
    variableValues: call.variables,
    contextValue,
    fieldResolver: resolve,
  });
  const outage = run.faults.outages.get(subgraph);
  return JSON.parse(JSON.stringify(outage ? broken(result, outage) : result));
}

interface Read {
  readonly document: DocumentNode;
  readonly invalid: GraphQLError | undefined;
}

const READ_MAX = 2_000;
const readBefore = new WeakMap<GraphQLSchema, Map<string, Read>>();

/** Parses and validates a request, once for all equal requests. */
function read(schema: GraphQLSchema, query: string): Read {
  const before = readBefore.get(schema) ?? new Map<string, Read>();
  if (before.size > READ_MAX) before.clear();
  readBefore.set(schema, before);
  const known = before.get(query);
  if (known) return known;
  const document = parse(query, { noLocation: true });
  const made = { document, invalid: validate(schema, document)[0] };
  before.set(query, made);
  return made;
}

const resolve: GraphQLFieldResolver<Thing | undefined, Context> = (source, args, context, info) => {
  const { world, subgraph, run } = context;
  const parent = source ?? { __typename: info.parentType.name, ident: info.parentType.name };
  const field = info.fieldName;
  if (info.operation.operation === 'mutation' && !source) run.mutations.push(`${field} ${canonical(args)}`);
  const fault = fieldFault(run.faults, subgraph, parent.ident, field);
  if (fault === 'throw') throw new Error(`${parent.ident}.${field} fails in ${subgraph}`);
  if (fault === 'null') return null;
  const value = world.data.fieldValue(parent, field, args, subgraph);
  if (fault !== 'null in list' || !Array.isArray(value) || value.length === 0) return value;
  return value.with(hashOf(run.faults.seed, parent.ident, field) % value.length, null);
};

function broken(result: ExecutionResult, outage: Outage): unknown {
  const entities = result.data?.['_entities'];
  const errors = [{ message: 'The subgraph is away.' }];
  switch (outage) {
    case 'errors':
      return { errors };
    case 'null data':
      return { data: null };
    case 'null data and errors':
      return { data: null, errors };
    case 'entities too short':
      return Array.isArray(entities) ? { ...result, data: { _entities: entities.slice(1) } } : result;
    case 'entities null':
      return Array.isArray(entities) ? { data: { _entities: null }, errors } : result;
  }
}
