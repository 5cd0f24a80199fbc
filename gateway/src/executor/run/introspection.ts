import {
  type DocumentNode,
  executeSync,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  type SelectionNode,
} from 'graphql';
import type { Variables } from '../../transport/transport.ts';
import { collectFields, type Fragments } from '../codegen/collect.ts';
import type { Data } from './plan-run.ts';
import { SCHEMA_FIELDS } from './without-introspection.ts';

/** Compiles the answer to `__schema` and `__type` of an operation; null if it selects neither. */
export function compileIntrospection(
  document: DocumentNode,
  operationName: string | undefined,
  schema: GraphQLSchema,
  fragments: Fragments,
): ((variables: Variables) => Data) | null {
  const operation = document.definitions.find(
    (each) =>
      each.kind === Kind.OPERATION_DEFINITION && (!operationName || each.name?.value === operationName),
  );
  if (operation?.kind !== Kind.OPERATION_DEFINITION || operation.operation !== OperationTypeNode.QUERY) {
    return null;
  }
  const root = schema.getQueryType()!.name;
  const sets = [{ guard: [], selections: operation.selectionSet }];
  const fields = collectFields(sets, fragments, (condition) => condition === root);
  const selections: SelectionNode[] = fields
    .filter(({ node }) => SCHEMA_FIELDS.has(node.name.value))
    .map(({ node, selections: inner }) => ({
      ...node,
      directives: [],
      selectionSet: {
        kind: Kind.SELECTION_SET,
        selections: inner.flatMap(({ selections: set }) => set.selections),
      },
    }));
  if (selections.length === 0) return null;
  const asked: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } },
      ...fragments.values(),
    ],
  };
  return (variables) => executeSync({ schema, document: asked, variableValues: variables }).data as Data;
}
