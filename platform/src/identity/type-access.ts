import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type ObjectTypeExtensionNode,
} from 'graphql';

type ObjectType = ObjectTypeDefinitionNode | ObjectTypeExtensionNode;

/**
 * Moves the `@access` of an object type to its fields: to all fields of the same definition without their own
 * `@access`, except `id` and fields of another subgraph. So readers of the result find access on fields only.
 * `@access(as: …)` is replaced by the access of the named type.
 */
export function withFieldAccess(typeDefs: DocumentNode): DocumentNode {
  const ofTypes = accessOfTypes(typeDefs);
  const definitions = typeDefs.definitions.map((definition) => {
    if (isObjectType(definition)) return expanded(definition, ofTypes);
    return definition.kind === Kind.DIRECTIVE_DEFINITION ? withoutAs(definition) : definition;
  });
  return { ...typeDefs, definitions };
}

export const isObjectType = (definition: DefinitionNode): definition is ObjectType =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION;

type AccessOfTypes = ReadonlyMap<string, ConstDirectiveNode>;

const accessOfTypes = ({ definitions }: DocumentNode): AccessOfTypes =>
  new Map(
    definitions.flatMap((definition): [string, ConstDirectiveNode][] => {
      if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return [];
      const access = directiveOf(definition, 'access');
      return access && !asOf(access) ? [[definition.name.value, access]] : [];
    }),
  );

function expanded(type: ObjectType, ofTypes: AccessOfTypes): ObjectType {
  const access = directiveOf(type, 'access');
  const guarded = (field: FieldDefinitionNode): FieldDefinitionNode => {
    const own = directiveOf(field, 'access');
    const others = (field.directives ?? []).filter((directive) => directive !== own);
    if (own) return asOf(own) ? { ...field, directives: [...others, resolved(own, ofTypes)] } : field;
    if (!access || field.name.value === 'id' || directiveOf(field, 'external')) return field;
    return { ...field, directives: [...others, resolved(access, ofTypes)] };
  };
  const directives = (type.directives ?? []).filter((directive) => directive !== access);
  return { ...type, directives, fields: (type.fields ?? []).map(guarded) };
}

/** Returns the access that `as` refers to, or the access itself. */
function resolved(access: ConstDirectiveNode, ofTypes: AccessOfTypes): ConstDirectiveNode {
  const type = asOf(access);
  if (!type) return access;
  const found = ofTypes.get(type);
  if (!found) throw new Error(`@access(as: "${type}"): this subgraph has no such type with @access.`);
  return found;
}

function asOf({ arguments: args }: ConstDirectiveNode): string | null {
  const value = args?.find(({ name }) => name.value === 'as')?.value;
  return value?.kind === Kind.STRING ? value.value : null;
}

/** Returns the definition of `@access` without `as`, which does not occur in expanded SDL. */
function withoutAs(definition: DirectiveDefinitionNode): DirectiveDefinitionNode {
  if (definition.name.value !== 'access') return definition;
  return { ...definition, arguments: definition.arguments?.filter(({ name }) => name.value !== 'as') ?? [] };
}

const directiveOf = (
  node: { readonly directives?: readonly ConstDirectiveNode[] | undefined },
  name: string,
): ConstDirectiveNode | undefined => node.directives?.find((directive) => directive.name.value === name);
