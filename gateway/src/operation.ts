import type { Access } from '@loyalty/platform/access';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationTypeNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { AccessMap } from './access-map.ts';

/** What is known of a valid operation before it runs, worked out once per document. */
export interface OperationFacts {
  readonly type: OperationTypeNode;
  /** Every `@access` that the operation touches. */
  readonly accesses: readonly Access[];
  readonly isIntrospection: boolean;
  /** Fields on the longest path from the root. */
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
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
  let aliases = 0;
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field(node) {
        const required = access.get(`${types.getParentType()?.name}.${node.name.value}`);
        if (required) accesses.add(required);
        if (node.alias) aliases += 1;
        if (node.name.value === '__schema' || node.name.value === '__type') isIntrospection = true;
      },
    }),
  );
  const fragments = new Map(
    document.definitions
      .filter(
        (definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION,
      )
      .map((fragment) => [fragment.name.value, fragment]),
  );
  return {
    type: operation.operation,
    accesses: [...accesses],
    isIntrospection,
    aliases,
    depth: depthOf(operation.selectionSet, fragments, new Map()),
    rootFields: fieldsOf(operation.selectionSet, fragments).length,
  };
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * Fragments are measured once each: a validated document has no cycles, but may spread one fragment very
 * often.
 */
function depthOf(selections: SelectionSetNode, fragments: Fragments, measured: Map<string, number>): number {
  let deepest = 0;
  for (const selection of selections.selections) {
    let depth: number;
    if (selection.kind === Kind.FIELD) {
      depth = 1 + (selection.selectionSet ? depthOf(selection.selectionSet, fragments, measured) : 0);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      depth = depthOf(selection.selectionSet, fragments, measured);
    } else {
      const name = selection.name.value;
      depth = measured.get(name) ?? depthOf(fragments.get(name)!.selectionSet, fragments, measured);
      measured.set(name, depth);
    }
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function fieldsOf(selections: SelectionSetNode, fragments: Fragments): FieldNode[] {
  return selections.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)!;
    return fieldsOf(inner.selectionSet, fragments);
  });
}
