import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/**
 * Returns whether the arguments or the answer of the field contain anything marked `@secret`, at any depth.
 */
export function carriesSecret(field: Field): boolean {
  const seen = new Set<GraphQLNamedType>();
  return field.args.some((argument) => isSecret(argument, seen)) || isSecret(field, seen);
}

function isSecret(of: Field | GraphQLArgument | GraphQLInputField, seen: Set<GraphQLNamedType>): boolean {
  if (of.astNode?.directives?.some(({ name }) => name.value === 'secret')) return true;
  const type = getNamedType(of.type);
  if (seen.has(type) || !(isInputObjectType(type) || isObjectType(type))) return false;
  seen.add(type);
  return Object.values<Field | GraphQLInputField>(type.getFields()).some((inner) => isSecret(inner, seen));
}
