import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

const known = new WeakMap<GraphQLSchema, Map<string, string[]>>();

/** Fields that have a type as theirs or as that of an argument, as `Type.field`. */
export function usesOf(schema: GraphQLSchema, name: string): readonly string[] {
  const uses = known.get(schema) ?? allUses(schema);
  known.set(schema, uses);
  return uses.get(name) ?? [];
}

type AnyField = GraphQLField<unknown, unknown> | GraphQLInputField;

function allUses(schema: GraphQLSchema): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  const note = (type: string, user: string) => {
    const users = uses.get(type) ?? [];
    if (!users.includes(user)) uses.set(type, [...users, user]);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values<AnyField>(type.getFields()))
      for (const { type: used } of [field, ...('args' in field ? field.args : [])])
        note(getNamedType(used).name, `${type.name}.${field.name}`);
  }
  return uses;
}
