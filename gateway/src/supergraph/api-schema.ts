import { Supergraph } from '@apollo/federation-internals';
import { scalars } from '@loyalty/platform/graph/scalars';
import { type GraphQLSchema, isScalarType } from 'graphql';

/** The schema that clients see, with scalars that check values. */
export function apiSchemaOf(supergraphSdl: string): GraphQLSchema {
  return withScalars(Supergraph.build(supergraphSdl).apiSchema().toGraphQLJSSchema());
}

/** Gives the custom scalars of a schema their behaviour, which SDL cannot carry. */
export function withScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, behaviour] of Object.entries(scalars)) {
    const type = schema.getType(name);
    if (isScalarType(type)) Object.assign(type, behaviour);
  }
  return schema;
}
