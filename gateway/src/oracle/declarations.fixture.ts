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
  /** The subgraph from which the field was moved. */
  readonly overrides: string | undefined;
}

/** The content of the SDL of all subgraphs. */
export interface Declarations {
  /**
   * Returns every declaration of a field; those of an interface object also count for its implementations.
   */
  of(typeName: string, field: string): readonly Declaration[];
  /** Returns the keys of a type in any subgraph. */
  keysOf(typeName: string): readonly SelectionSetNode[];
  /**
   * Returns the possible types in a subgraph; null if the subgraph does not know them (an interface object).
   */
  possibleTypes(subgraph: string, typeName: string): readonly string[] | null;
  /** Returns the values of an enum that a subgraph knows; null if it does not have the enum. */
  enumValues(subgraph: string, typeName: string): readonly string[] | null;
}

/** The SDL of a subgraph. */
export interface Part {
  readonly name: string;
  readonly typeDefs: DocumentNode;
}

/** @param schemas - schemas of the subgraphs by name, read on demand */
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
