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

/** Does a call of the field take or answer anything that is marked `@secret`, however deep? */
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
