import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationTypeNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { Supergraph } from '../../supergraph/supergraph.ts';
import type { Transports, Variables } from '../../transport/transport.ts';
import { conditionVariables } from '../codegen/resolved-conditions.ts';
import { type CompiledOperation, compileOperation } from './compiled-operation.ts';
import type { PlanError } from './plan-run.ts';
import { variableFaults } from './variable-faults.ts';

/**
 * Maximum of variables in @include and @skip for which each combination of values has its own plan: 16 plans.
 */
const RESOLVED_MAX = 4;

/** Maximum of wrong values with their own error; the first error lists further ones. */
const ERRORS_MAX = 10;

/** An operation, compiled once for each combination of its conditions. */
export interface Variants {
  readonly type: OperationTypeNode;
  /** Validates and coerces the client's variables. */
  coerce(given: Variables): Coercion;
  /** Returns the variant for coerced variables; compiles it at its first use. */
  of(coerced: Variables): CompiledOperation;
}

export type Coercion =
  | { readonly coerced: Variables; readonly errors?: undefined }
  | { readonly coerced?: undefined; readonly errors: readonly PlanError[] };

/**
 * Validates and coerces the client's variables. Each wrong value is an error, as usual in GraphQL; the first
 * error lists all of them.
 */
export function coercionOf(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Variables,
): Coercion {
  const { coerced, errors } = getVariableValues(schema, definitions, given, { maxErrors: ERRORS_MAX });
  if (coerced) return { coerced };
  const faults = variableFaults(schema, definitions, given);
  return {
    errors: errors.map(({ message }, place) => ({
      message,
      extensions: {
        code: 'BAD_USER_INPUT',
        reason: 'VALIDATION_FAILED',
        ...(faults[place] && { field: faults[place].field }),
        ...(place === 0 && faults.length > 0 && { errors: faults }),
      },
    })),
  };
}

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
      definitions.length === 0 ? { coerced: {} } : coercionOf(supergraph.schema, definitions, given),
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
