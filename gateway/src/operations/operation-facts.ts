import type { Access, AccessMap } from '@loyalty/platform/identity/access';
import { type Demands, demandsOf } from '@loyalty/platform/identity/asked-fields';
import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { limits } from '../admission/limits.ts';

/** The demand of `__schema` and `__type`. */
export const INTROSPECTION = 'introspection';

/** Facts of a valid operation, computed once for each document. */
export interface OperationFacts {
  readonly type: OperationTypeNode;
  /** Whether it has several fields of the root type, besides `__typename`. */
  readonly hasSeveralFields: boolean;
  /** The `@access` that the fields of this operation demand, by its variables. */
  readonly demands: Demands<Access | typeof INTROSPECTION>;
  /** Size limit of its request in bytes; larger if a variable contains a file. */
  readonly bytesMax: number;
}

const known = new WeakMap<DocumentNode, Map<string, OperationFacts>>();

/** Computes the facts of one operation of a validated document. */
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
  return {
    type: operation.operation,
    hasSeveralFields: fieldsIn(document, operation.selectionSet) > 1,
    demands: demandsOf(document, operationName, schema, (type, field) =>
      field === '__schema' || field === '__type' ? INTROSPECTION : access.get(`${type}.${field}`),
    ),
    bytesMax: bytesMaxOf(operation, schema),
  };
}

/** Counts the fields of a selection set, also those in fragments; each fragment counts once. */
function fieldsIn(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  seen = new Set<DefinitionNode>(),
): number {
  return selections.reduce((sum, selection) => {
    if (selection.kind === Kind.FIELD) return sum + (selection.name.value === '__typename' ? 0 : 1);
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return sum + fieldsIn(document, selection.selectionSet, seen);
    const fragment = document.definitions.find(
      (each): each is FragmentDefinitionNode =>
        each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value,
    )!;
    if (seen.has(fragment)) return sum;
    seen.add(fragment);
    return sum + fieldsIn(document, fragment.selectionSet, seen);
  }, 0);
}

/** Size limits by the scalars of files, as bytes and as text. */
const uploadBytes: Readonly<Record<string, number>> = {
  Base64: limits.uploadBytes,
  FileText: limits.fileTextBytes,
};

/** A file is a variable, or a direct field of an input object in a variable. */
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
