import { type GraphQLSchema, isInterfaceType } from 'graphql';
import { typesWithin } from './types.ts';

/**
 * A path as the planner writes it: names of fields, `@` for the elements of a list, and behind `|` the types
 * of the objects to continue from: `["", "cards", "@", "parts", "@|[Book,Film]", "author"]`.
 */
export type PlanPath = readonly (string | number)[];

/** The same, compiled: a set holds the types of the objects to continue from. */
export type Steps = readonly (string | ReadonlySet<string>)[];

const TYPES = /^(.*)\|\[(.*)\]$/;

/** One element of a path; types are null where any type is meant. */
interface Element {
  readonly name: string;
  readonly types: readonly string[] | null;
}

function elementOf(key: string | number): Element {
  const [, name, types] = TYPES.exec(String(key)) ?? [];
  return types === undefined ? { name: String(key), types: null } : { name: name!, types: types.split(',') };
}

/** The path without lists and types: the response names that lead there. */
export const namesIn = (path: PlanPath): string[] =>
  path.map((key) => elementOf(key).name).filter((name) => name !== '' && name !== '@');

/**
 * Compiles a path.
 *
 * @param schema - the full one: an object of which only the interface is known may have any of the types
 */
export function stepsOf(path: PlanPath, schema: GraphQLSchema): Steps {
  return path
    .map(elementOf)
    .flatMap(({ name, types }) => [
      ...(name === '' ? [] : [name]),
      ...(types ? [withInterfaces(types, schema)] : []),
    ]);
}

function withInterfaces(types: readonly string[], schema: GraphQLSchema): ReadonlySet<string> {
  const interfaces = Object.values(schema.getTypeMap()).filter(isInterfaceType);
  const covering = interfaces.filter(({ name }) => types.some((type) => typesWithin(schema, name).has(type)));
  return new Set([...types, ...covering.map(({ name }) => name)]);
}

/** One path for the objects of two paths and no others; null where there is none. */
export function pathOfBoth(a: PlanPath, b: PlanPath): PlanPath | null {
  if (a.length !== b.length) return null;
  const differing = a.flatMap((key, index) => (key === b[index] ? [] : [index]));
  const [at] = differing;
  if (at === undefined) return a;
  const [one, other] = [elementOf(a[at]!), elementOf(b[at]!)];
  if (differing.length > 1 || one.name !== other.name) return null;
  if (!one.types || !other.types) return a.with(at, one.name);
  return a.with(at, `${one.name}|[${[...new Set([...one.types, ...other.types])].join()}]`);
}
