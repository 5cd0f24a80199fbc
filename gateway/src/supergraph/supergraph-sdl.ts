import { fileURLToPath } from 'node:url';
import { Supergraph } from '@apollo/federation-internals';
import { scalars } from '@loyalty/platform/graph/scalars';
import { type Access, type AccessMap, accessOf } from '@loyalty/platform/identity/access';
import { type GraphQLSchema, isScalarType, Kind, parse } from 'graphql';

/** The committed supergraph. */
export const supergraphFile = fileURLToPath(new URL('../../supergraph.graphql', import.meta.url));

/** Returns the schema for clients, with scalars that check values. */
export function apiSchemaOf(supergraphSdl: string): GraphQLSchema {
  return withScalars(Supergraph.build(supergraphSdl).apiSchema().toGraphQLJSSchema());
}

/** Adds the behaviour of custom scalars, which SDL cannot contain. */
export function withScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, behaviour] of Object.entries(scalars)) {
    const type = schema.getType(name);
    if (isScalarType(type)) Object.assign(type, behaviour);
  }
  return schema;
}

/** Reads every `@access` of a supergraph, because the API schema lacks the directive. */
export function accessMap(supergraphSdl: string): AccessMap {
  const map = new Map<string, Access>();
  for (const type of parse(supergraphSdl, { noLocation: true }).definitions) {
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION && type.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    for (const field of type.fields ?? []) {
      const access = accessOf({ astNode: field });
      if (access) map.set(`${type.name.value}.${field.name.value}`, access);
    }
  }
  return map;
}
