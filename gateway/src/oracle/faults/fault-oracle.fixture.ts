import { execute, type GraphQLFieldResolver, getNamedType, isLeafType, parse } from 'graphql';
import type { Effect, InjectedFault } from './fault.fixture.ts';
import { facts, type Name, ownerOf, type QueryName, queries, wholeSchema } from './shop-subgraphs.fixture.ts';

type Path = readonly (string | number)[];

/** The client's answer to a query. */
export interface Got {
  readonly status: number;
  readonly body: {
    readonly data?: unknown;
    readonly errors?: readonly { readonly message: string; readonly path?: Path }[];
  };
}

/** The answer by the specification: graphql-js executes the whole graph, and lost fields throw. */
function expectedOf(query: QueryName, subgraph: Name, effect: Effect): { data: unknown; paths: Path[] } {
  const fieldResolver: GraphQLFieldResolver<Record<string, unknown>, unknown> = (source, _, __, info) => {
    const { fieldName: name, returnType } = info;
    const type = info.parentType.name;
    const isLeaf = isLeafType(getNamedType(returnType));
    const outcome = ownerOf(type, name) === subgraph ? effect({ type, name, isLeaf }) : 'unaffected';
    if (outcome === 'fails') throw new Error(`${type}.${name} is lost.`);
    return outcome === 'null' ? null : source[name];
  };
  const result = execute({
    schema: wholeSchema,
    document: parse(queries[query]),
    rootValue: facts,
    fieldResolver,
  });
  const { data, errors = [] } = result as Awaited<typeof result>;
  return { data: JSON.parse(JSON.stringify(data)), paths: errors.map(({ path }) => path!) };
}

/** Returns the faults of an answer; empty if it is right. */
export function wrongIn(got: Got, query: QueryName, subgraph: Name, fault: InjectedFault): string[] {
  const { data, paths } = expectedOf(query, subgraph, fault.effect);
  const { errors = [] } = got.body;
  const isNear = (one: Path, other: Path) => one.slice(0, other.length).every((key, at) => key === other[at]);
  const unexplained = paths.filter(
    (path) => !errors.some((error) => !error.path || isNear(error.path, path)),
  );
  const isAdded = fault.errors === 'added';
  const lost = fault.errors === 'none' ? [] : unexplained;
  const strange = errors.filter(({ path }) => {
    if (isAdded) return path && path.length > 1;
    return path ? !paths.some((other) => isNear(path, other)) : paths.length === 0;
  });
  return [
    ...(got.status === 200 ? [] : [`status ${got.status}`]),
    ...(JSON.stringify(got.body.data) === JSON.stringify(data)
      ? []
      : [`data ${JSON.stringify(got.body.data)} instead of ${JSON.stringify(data)}`]),
    ...lost.map((path) => `no error for ${path.join('.')}`),
    ...strange.map(({ message, path }) => `an error too many: ${message} at ${path?.join('.')}`),
    ...(fault.errors === 'none' && errors.length > 0 ? ['an error where there is none'] : []),
    ...(isAdded && errors.length === 0 ? ['no error at all'] : []),
    ...(errors.length > ERRORS_MAX ? [`${errors.length} errors`] : []),
  ];
}

/** A query calls one subgraph at most twice, and each answer may contain a hundred errors. */
const ERRORS_MAX = 200;
