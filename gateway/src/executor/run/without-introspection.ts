import {
  type ASTNode,
  type DocumentNode,
  getOperationAST,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql';

/** Root fields about the schema itself. */
export const SCHEMA_FIELDS: ReadonlySet<string> = new Set(['__schema', '__type']);

/**
 * Removes the introspection fields of a document: no subgraph answers them, and the planner only knows an
 * older version. Returns null if the operation has no other fields. Unused fragments are removed, too.
 */
export function withoutIntrospection(
  document: DocumentNode,
  operationName: string | undefined,
): DocumentNode | null {
  if (!asksOfSchema(document)) return document;
  const operation = getOperationAST(document, operationName)!;
  let rest = withUsedFragments(document, operation);
  for (let empty: ReadonlySet<string> = new Set(); ; ) {
    rest = pruned(rest, empty);
    empty = emptyFragments(rest);
    if (empty.size === 0) break;
  }
  const [left] = rest.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return left ? withUsedFragments(rest, left) : null;
}

function asksOfSchema(document: DocumentNode): boolean {
  let asks = false;
  visit(document, {
    Field({ name }) {
      asks ||= SCHEMA_FIELDS.has(name.value);
    },
  });
  return asks;
}

/** Removes introspection fields, spreads of empty fragments, and selections that become empty. */
const pruned = (document: DocumentNode, empty: ReadonlySet<string>): DocumentNode =>
  visit(document, {
    Field: { enter: ({ name }) => (SCHEMA_FIELDS.has(name.value) ? null : undefined) },
    FragmentSpread: ({ name }) => (empty.has(name.value) ? null : undefined),
    FragmentDefinition: { enter: ({ name }) => (empty.has(name.value) ? null : undefined) },
    InlineFragment: { leave: ({ selectionSet }) => (isEmpty(selectionSet) ? null : undefined) },
    OperationDefinition: { leave: ({ selectionSet }) => (isEmpty(selectionSet) ? null : undefined) },
  });

const isEmpty = ({ selections }: SelectionSetNode): boolean => selections.length === 0;

const emptyFragments = ({ definitions }: DocumentNode): ReadonlySet<string> =>
  new Set(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .filter(({ selectionSet }) => isEmpty(selectionSet))
      .map(({ name }) => name.value),
  );

/**
 * Returns one operation with its used fragments, because the planner does not know the types of
 * introspection.
 */
function withUsedFragments(document: DocumentNode, operation: ASTNode): DocumentNode {
  const { definitions } = document;
  const parts = new Set<ASTNode>([operation]);
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  // Iterating over a set includes elements that are added meanwhile.
  for (const part of parts) {
    visit(part, {
      FragmentSpread({ name }) {
        const fragment = fragments.find((each) => each.name.value === name.value);
        if (fragment) parts.add(fragment);
      },
    });
  }
  return { ...document, definitions: definitions.filter((definition) => parts.has(definition)) };
}
