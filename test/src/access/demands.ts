import type { Access } from '@loyalty/platform/identity/access';
import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { owners, plain, printed } from './owners.ts';

/** What the owners of types demand, each read as `Result`. */
export interface Demands<Result> {
  /** Of whoever reads one. */
  readonly single: (type: string) => Result;
  /** Of whoever reads a page of them, or how many there are. */
  readonly list: (type: string) => Result;
  /** What a documented answer prints, by `Type.field`. */
  readonly printed: (field: string) => Result;
}

const CONTAINER = /(Connection|Edge)$/;

/** A page of a type, or an edge of it: it has no data but that of its nodes. */
export const isContainer = (type: string): boolean => CONTAINER.test(type);
export const nounOf = (type: string): string => type.replace(CONTAINER, '');

const asked = (scopes: Access['scopes'], module: string | null, callers = ['key', 'user']): Access => ({
  scopes,
  role: null,
  module,
  callers,
  liveOnly: false,
});

/** Accesses any of which lets a caller read a type. */
interface Declared {
  readonly list: readonly Access[];
  readonly single: readonly Access[];
}

/** @param read - what any of several accesses comes to */
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

/** Types of which neither a query nor `owners.ts` says to whom they belong. */
export function ownerlessTypes(schema: GraphQLSchema, access: ReadonlyMap<string, Access>): string[] {
  const ofQueries = accessesOfQueries(schema, access);
  return tenantTypes(schema).filter((type) => declaredOf(type, ofQueries).single.length === 0);
}

/** Fields of types with tenant data that anybody may read who comes to them, ids apart. */
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

/** By type what each query that returns it, or a page of it, asks. */
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
