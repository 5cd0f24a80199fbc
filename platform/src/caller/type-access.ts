import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type ObjectTypeExtensionNode,
} from 'graphql';

type ObjectType = ObjectTypeDefinitionNode | ObjectTypeExtensionNode;

/**
 * SDL in which the `@access` of an object type stands on its fields: on those that are written in the same
 * definition and have none of their own, `id` and fields of another subgraph apart. So
 * readers of this SDL find access on fields only.
 */
export function withFieldAccess(typeDefs: DocumentNode): DocumentNode {
  const definitions = typeDefs.definitions.map((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION
      ? expanded(definition)
      : definition,
  );
  return { ...typeDefs, definitions };
}

function expanded(type: ObjectType): ObjectType {
  const access = directiveOf(type, 'access');
  if (!access) return type;
  const guarded = (field: FieldDefinitionNode): FieldDefinitionNode =>
    field.name.value === 'id' || directiveOf(field, 'access') || directiveOf(field, 'external')
      ? field
      : { ...field, directives: [...(field.directives ?? []), access] };
  const directives = type.directives!.filter((directive) => directive !== access);
  return { ...type, directives, fields: (type.fields ?? []).map(guarded) };
}

const directiveOf = (
  node: { readonly directives?: readonly ConstDirectiveNode[] | undefined },
  name: string,
): ConstDirectiveNode | undefined => node.directives?.find((directive) => directive.name.value === name);
