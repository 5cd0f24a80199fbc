import {
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type TypeNode,
} from 'graphql';

/** One field of one type as one subgraph declares it. */
export interface Declaration {
  readonly subgraph: string;
  readonly type: TypeNode;
  readonly requires: SelectionSetNode | undefined;
  /** The subgraph that the field was taken away from. */
  readonly overrides: string | undefined;
}

/** What the SDL of all subgraphs say. */
export interface Declarations {
  /** Every declaration of a field; an interface object's are its implementations', too. */
  of(typeName: string, field: string): readonly Declaration[];
  /** The keys of a type, of any subgraph. */
  keysOf(typeName: string): readonly SelectionSetNode[];
  /** What a type can be in a subgraph; null where the subgraph does not know (an interface object). */
  possibleTypes(subgraph: string, typeName: string): readonly string[] | null;
  /** The values of an enum that a subgraph knows; null when it is none of its enums. */
  enumValues(subgraph: string, typeName: string): readonly string[] | null;
}

/** A subgraph's SDL. */
export interface Part {
  readonly name: string;
  readonly typeDefs: DocumentNode;
}

/** @param schemas - of the subgraphs by name, read when asked */
export function declarationsOf(
  parts: readonly Part[],
  schemas: ReadonlyMap<string, GraphQLSchema>,
  full: GraphQLSchema,
): Declarations {
  const fields = new Map<string, Declaration[]>();
  const keys = new Map<string, SelectionSetNode[]>();
  for (const part of parts) {
    for (const node of part.typeDefs.definitions) {
      if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
      const sets = (node.directives ?? [])
        .filter(({ name }) => name.value === 'key')
        .map((key) => fieldSet(textOf(key, 'fields') ?? ''));
      push(keys, node.name.value, ...sets);
      if (node.kind === Kind.OBJECT_TYPE_DEFINITION) readFields(part.name, node, full, fields);
    }
  }
  return {
    of: (typeName, field) => fields.get(`${typeName}.${field}`) ?? [],
    keysOf: (typeName) => keys.get(typeName) ?? [],
    possibleTypes: (subgraph, typeName) => possibleTypes(schemas.get(subgraph), typeName, full),
    enumValues(subgraph, typeName) {
      const type = schemas.get(subgraph)?.getType(typeName);
      return isEnumType(type) ? type.getValues().map(({ name }) => name) : null;
    },
  };
}

function push<T>(lists: Map<string, T[]>, key: string, ...items: T[]): void {
  lists.set(key, [...(lists.get(key) ?? []), ...items]);
}

function readFields(
  subgraph: string,
  { name, fields = [] }: ObjectTypeDefinitionNode,
  full: GraphQLSchema,
  into: Map<string, Declaration[]>,
): void {
  const merged = full.getType(name.value);
  const implementations = isInterfaceType(merged) ? full.getPossibleTypes(merged) : [];
  for (const field of fields) {
    const requires = textOf(directive(field, 'requires'), 'fields');
    const declaration: Declaration = {
      subgraph,
      type: field.type,
      requires: requires ? fieldSet(requires) : undefined,
      overrides: textOf(directive(field, 'override'), 'from'),
    };
    for (const owner of [name.value, ...implementations.map((each) => each.name)]) {
      push(into, `${owner}.${field.name.value}`, declaration);
    }
  }
}

function possibleTypes(
  schema: GraphQLSchema | undefined,
  typeName: string,
  full: GraphQLSchema,
): readonly string[] | null {
  const type = schema?.getType(typeName);
  if (schema && isAbstractType(type)) return schema.getPossibleTypes(type).map(({ name }) => name);
  return isObjectType(type) && isObjectType(full.getType(typeName)) ? [typeName] : null;
}

const directive = (
  node: { readonly directives?: readonly DirectiveNode[] | undefined },
  name: string,
): DirectiveNode | undefined => node.directives?.find((found) => found.name.value === name);

function textOf(node: DirectiveNode | undefined, argument: string): string | undefined {
  const value = node?.arguments?.find(({ name }) => name.value === argument)?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}

const fieldSet = (fields: string): SelectionSetNode =>
  (parse(`{ ${fields} }`).definitions[0] as OperationDefinitionNode).selectionSet;
