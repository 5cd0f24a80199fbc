import { type GraphQLSchema, isEnumType } from 'graphql';

/** Returns the graph's description of a value of one of its enums; empty without one. */
export function enumDescription(schema: GraphQLSchema, type: string, value: string): string {
  const found = schema.getType(type);
  return (isEnumType(found) && found.getValue(value)?.description) || '';
}
