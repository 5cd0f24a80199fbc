import { type GraphQLSchema, isInterfaceType } from 'graphql';
import { typesWithin } from './types.ts';

/**
 * A path in the planner's form: names of fields, `@` for the elements of a list, and after `|` the types of
 * the objects to continue from: `["", "cards", "@", "parts", "@|[Book,Film]", "author"]`.
 */
export type PlanPath = readonly (string | number)[];

/** A compiled path: a set contains the types of the objects to continue from. */
export type Steps = readonly (string | ReadonlySet<string>)[];

const TYPES = /^(.*)\|\[(.*)\]$/;

/** One element of a path; `types` is null if any type matches. */
interface Element {
  readonly name: string;
  readonly types: readonly string[] | null;
}

function elementOf(key: string | number): Element {
  const [, name, types] = TYPES.exec(String(key)) ?? [];
  return types === undefined ? { name: String(key), types: null } : { name: name!, types: types.split(',') };
}

/** Returns the response names of a path, without lists and types. */
export const namesIn = (path: PlanPath): string[] =>
  path.map((key) => elementOf(key).name).filter((name) => name !== '' && name !== '@');

/**
 * Compiles a path.
 *
 * @param schema - the full schema: an object of which only the interface is known may have any implementing
 *   type
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

/** Returns one path for exactly the objects of two paths; null if there is none. */
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
