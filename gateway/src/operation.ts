import type { Access } from '@loyalty/platform/access';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isAbstractType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { AccessMap } from './access-map.ts';
import { limits } from './limits.ts';

/** What is known of a valid operation before it runs, worked out once per document. */
export interface OperationFacts {
  readonly type: OperationTypeNode;
  /** Every `@access` that the operation touches; other operations of the document do not count. */
  readonly accesses: readonly Access[];
  readonly isIntrospection: boolean;
  /** Of its request, which may be larger than others where a variable has a file in it. */
  readonly bytesMax: number;
}

const known = new WeakMap<DocumentNode, Map<string, OperationFacts>>();

/** The facts of one operation of a validated document. */
export function operationFacts(
  document: DocumentNode,
  operationName: string | null | undefined,
  schema: GraphQLSchema,
  access: AccessMap,
): OperationFacts {
  const byName = known.get(document) ?? new Map<string, OperationFacts>();
  known.set(document, byName);
  const name = operationName ?? '';
  const facts = byName.get(name) ?? inspect(document, operationName, schema, access);
  byName.set(name, facts);
  return facts;
}

function inspect(
  document: DocumentNode,
  operationName: string | null | undefined,
  schema: GraphQLSchema,
  access: AccessMap,
): OperationFacts {
  const operation = getOperationAST(document, operationName)!;
  const accesses = new Set<Access>();
  let isIntrospection = false;
  for (const part of partsOf(operation, document)) {
    const types = new TypeInfo(schema);
    const Field = ({ name: { value: name } }: { readonly name: { readonly value: string } }): void => {
      for (const type of typesAt(types, schema)) {
        const required = access.get(`${type}.${name}`);
        if (required) accesses.add(required);
      }
      if (name === '__schema' || name === '__type') isIntrospection = true;
    };
    visit(part, visitWithTypeInfo(types, { Field: (node) => Field(node) }));
  }
  return {
    type: operation.operation,
    accesses: [...accesses],
    isIntrospection,
    bytesMax: bytesMaxOf(operation, schema),
  };
}

/** By scalar of a file, as bytes and as text. */
const uploadBytes: Readonly<Record<string, number>> = {
  Base64: limits.uploadBytes,
  FileText: limits.fileTextBytes,
};

/** A file stands in a variable, or right in an input object that is one. */
function bytesMaxOf(operation: OperationDefinitionNode, schema: GraphQLSchema): number {
  const scalars = (operation.variableDefinitions ?? []).flatMap((variable) => {
    let node = variable.type;
    while (node.kind !== Kind.NAMED_TYPE) node = node.type;
    const type = schema.getType(node.name.value);
    const inside = isInputObjectType(type) ? Object.values(type.getFields()).map((field) => field.type) : [];
    return [type, ...inside].map((each) => uploadBytes[getNamedType(each)?.name ?? ''] ?? 0);
  });
  return limits.documentBytes + Math.max(limits.bodyBytes, ...scalars);
}

/** A field that is asked of an abstract type is asked of every type that it may turn out to be. */
function typesAt(types: TypeInfo, schema: GraphQLSchema): string[] {
  const parent = types.getParentType();
  if (!parent) return [];
  const possible = isAbstractType(parent) ? schema.getPossibleTypes(parent) : [];
  return [parent, ...possible].map(({ name }) => name);
}

/** The operation and every fragment that it spreads, directly or through others. */
function partsOf(
  operation: OperationDefinitionNode,
  { definitions }: DocumentNode,
): (OperationDefinitionNode | FragmentDefinitionNode)[] {
  const fragments = new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const parts = new Set<OperationDefinitionNode | FragmentDefinitionNode>([operation]);
  // A set goes on to what is added to it while it is walked.
  for (const part of parts) {
    visit(part, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (fragment) parts.add(fragment);
      },
    });
  }
  return [...parts];
}
