import {
  type DocumentNode,
  type GraphQLError,
  getOperationAST,
  getVariableValues,
  type OperationTypeNode,
} from 'graphql';
import type { Supergraph } from '../../supergraph/supergraph.ts';
import type { Transports, Variables } from '../../transport/transport.ts';
import { conditionVariables } from '../codegen/resolved-conditions.ts';
import { type CompiledOperation, compileOperation } from './compiled-operation.ts';

/**
 * Up to this many variables in @include and @skip, each combination of values has its own plan: 16 at most.
 */
const RESOLVED_MAX = 4;

/** An operation, compiled once for each combination of its conditions. */
export interface Variants {
  readonly type: OperationTypeNode;
  /** Checks and coerces what the client sent. */
  coerce(given: Variables): Coercion;
  /** The variant for these coerced variables, compiled at its first use. */
  of(coerced: Variables): CompiledOperation;
}

export type Coercion =
  | { readonly coerced: Variables; readonly errors?: undefined }
  | { readonly coerced?: undefined; readonly errors: readonly GraphQLError[] };

export function createVariants(
  supergraph: Supergraph,
  transports: Transports,
  document: DocumentNode,
  operationName: string | undefined,
): Variants {
  const { operation, variableDefinitions: definitions = [] } = getOperationAST(document, operationName)!;
  const conditions = conditionVariables(document);
  const resolved = conditions.length <= RESOLVED_MAX ? conditions : [];
  const compiled = new Map<string, CompiledOperation>();
  return {
    type: operation,
    coerce: (given) =>
      definitions.length === 0
        ? { coerced: {} }
        : (getVariableValues(supergraph.schema, definitions, given, { maxErrors: 10 }) as Coercion),
    of(coerced) {
      const key = resolved.map((name) => (coerced[name] === true ? '1' : '0')).join('');
      let variant = compiled.get(key);
      if (!variant) {
        const values = Object.fromEntries(resolved.map((name) => [name, coerced[name] === true]));
        variant = compileOperation(supergraph, transports, document, operationName, values);
        compiled.set(key, variant);
      }
      return variant;
    },
  };
}
