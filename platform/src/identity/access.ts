import {
  type DirectiveNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  valueFromASTUntyped,
} from 'graphql';
import type { Role } from '../base/caller.ts';

/** The arguments of `@access` on a field; graph/prelude.graphql documents each of them. */
export interface Access {
  readonly scopes: readonly (readonly string[])[];
  readonly role: Role | null;
  readonly module: string | null;
  readonly callers: readonly string[];
  readonly liveOnly: boolean;
}

/** The access of fields by `Type.field`. */
export type AccessMap = ReadonlyMap<string, Access>;

/** Reads the `@access` of a field; null if it has none. */
export function accessOf(field: {
  readonly astNode?: GraphQLField<unknown, unknown>['astNode'];
}): Access | null {
  const directive = field.astNode?.directives?.find(({ name }) => name.value === 'access');
  return directive ? readAccess(directive) : null;
}

/** All declared accesses. Equal ones share one object, so that each is checked once per operation. */
const declared = new Map<string, Access>();

function readAccess(directive: DirectiveNode): Access {
  const args = Object.fromEntries(
    (directive.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
  ) as Partial<Record<keyof Access, unknown>>;
  const access: Access = {
    scopes: (args.scopes as string[][] | undefined) ?? [],
    role: (args.role as Role | undefined) ?? null,
    module: (args.module as string | undefined) ?? null,
    callers: (args.callers as string[] | undefined) ?? ['key', 'user'],
    liveOnly: (args.liveOnly as boolean | undefined) ?? false,
  };
  const key = JSON.stringify(access);
  const known = declared.get(key) ?? access;
  declared.set(key, known);
  return known;
}

/** Returns the root fields of a schema without `@access`; the schema test expects none. */
export function rootFieldsWithoutAccess(schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots
    .filter((root): root is GraphQLObjectType => Boolean(root))
    .flatMap((root) => Object.values(root.getFields()).map((field) => ({ root, field })))
    .filter(({ field }) => !['_entities', '_service'].includes(field.name) && !accessOf(field))
    .map(({ root, field }) => `${root.name}.${field.name}`);
}
