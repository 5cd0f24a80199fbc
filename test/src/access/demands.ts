import type { Access } from '@loyalty/platform/identity/access';
import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { owners, plain, printed } from './owners.ts';

/** The access that the owner of a type requires; `Result` is the form in which a test compares it. */
export interface Demands<Result> {
  /** Required to read one object of the type. */
  readonly single: (type: string) => Result;
  /** Required to read a page of objects, or their number. */
  readonly list: (type: string) => Result;
  /** Allowed to read a field `Type.field` because a documented answer has it. */
  readonly printed: (field: string) => Result;
}

const CONTAINER = /(Connection|Edge)$/;

/** A page of a type, or an edge of it. It has no data of its own, only the data of its nodes. */
export const isContainer = (type: string): boolean => CONTAINER.test(type);
export const nounOf = (type: string): string => type.replace(CONTAINER, '');

const asked = (scopes: Access['scopes'], module: string | null, callers = ['key', 'user']): Access => ({
  scopes,
  role: null,
  module,
  callers,
  liveOnly: false,
});

/** A caller may read the type when it passes any one of these accesses. */
interface Declared {
  readonly list: readonly Access[];
  readonly single: readonly Access[];
}

/**
 * Computes the required access of each type and keeps it.
 *
 * @param read - converts a list of accesses, any one of which is enough, to a `Result`
 */
export function demandsOfOwners<Result>(
  schema: GraphQLSchema,
  access: ReadonlyMap<string, Access>,
  read: (anyOf: readonly Access[]) => Result,
): Demands<Result> {
  const ofQueries = accessesOfQueries(schema, access);
  const results = new Map<string, Result>();
  const kept = (key: string, make: () => readonly Access[]): Result => {
    const result = results.get(key) ?? read(make());
    results.set(key, result);
    return result;
  };
  return {
    single: (type) => kept(`one ${type}`, () => declaredOf(type, ofQueries).single),
    list: (type) => kept(`many ${type}`, () => declaredOf(type, ofQueries).list),
    printed: (field) => kept(field, () => (printed[field] ? [asked([printed[field].scopes], null)] : [])),
  };
}

/** Types whose owner is unknown: neither a query nor `owners.ts` gives one. */
export function ownerlessTypes(schema: GraphQLSchema, access: ReadonlyMap<string, Access>): string[] {
  const ofQueries = accessesOfQueries(schema, access);
  return tenantTypes(schema).filter((type) => declaredOf(type, ofQueries).single.length === 0);
}

/**
 * Fields of types with tenant data that have no access of their own, without `id`. Every caller who can read
 * the parent object can read them.
 */
export const unguardedFields = (schema: GraphQLSchema, access: ReadonlyMap<string, Access>): string[] =>
  tenantTypes(schema).flatMap((name) => {
    const type = schema.getType(name);
    const fields = isObjectType(type) ? Object.keys(type.getFields()) : [];
    return fields
      .map((field) => `${name}.${field}`)
      .filter((edge) => !edge.endsWith('.id') && !access.has(edge));
  });

function tenantTypes(schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !roots.includes(type) && !type.name.startsWith('__'))
    .map(({ name }) => name)
    .filter((name) => !isContainer(name) && !Object.hasOwn(plain, name));
}

/** For each type, the accesses of all queries that return it or a page of it. */
function accessesOfQueries(
  schema: GraphQLSchema,
  access: ReadonlyMap<string, Access>,
): ReadonlyMap<string, readonly Access[]> {
  const found = Map.groupBy(Object.values(schema.getQueryType()!.getFields()), ({ type }) =>
    nounOf(getNamedType(type).name),
  );
  return new Map(
    [...found].map(([type, fields]) => [
      type,
      fields.flatMap(({ name }) => access.get(`Query.${name}`) ?? []),
    ]),
  );
}

function declaredOf(type: string, ofQueries: ReadonlyMap<string, readonly Access[]>): Declared {
  const owner = owners[type];
  const inherited = owner?.of ? declaredOf(owner.of, ofQueries).list : [];
  const queries = [...(ofQueries.get(type) ?? []), ...inherited];
  const [first] = queries;
  const module = first && queries.every((each) => each.module === first.module) ? first.module : null;
  const reads = (owner?.reads ?? []).map((scopes) => asked([scopes], module));
  const writes = (owner?.writes ?? []).map((scopes) => asked([scopes], module));
  const self = owner?.isMembersOwn ? [asked([], module, ['member'])] : [];
  const list = [...queries, ...reads, ...self];
  return { list, single: [...list, ...writes] };
}
