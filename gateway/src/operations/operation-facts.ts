import type { Access, AccessMap } from '@loyalty/platform/identity/access';
import { type Demands, demandsOf } from '@loyalty/platform/identity/asked-fields';
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql';
import { limits } from '../admission/limits.ts';
import { fragmentsOf } from '../executor/codegen/collect.ts';
import { perOperation } from './per-operation.ts';
import { rootFields } from './root-fields.ts';

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

const known = perOperation<OperationFacts>();

/** Computes the facts of one operation of a validated document. */
export function operationFacts(
  document: DocumentNode,
  operationName: string | null | undefined,
  schema: GraphQLSchema,
  access: AccessMap,
): OperationFacts {
  return known(document, operationName, () => inspect(document, operationName, schema, access));
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
    hasSeveralFields: rootFields(operation.selectionSet, fragmentsOf(document)).filter(isAsked).length > 1,
    demands: demandsOf(document, operationName, schema, (type, field) =>
      field === '__schema' || field === '__type' ? INTROSPECTION : access.get(`${type}.${field}`),
    ),
    bytesMax: bytesMaxOf(operation, schema),
  };
}

const isAsked = ({ name }: FieldNode): boolean => name.value !== '__typename';

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
