import type { Request } from '@loyalty/platform/context';
import type { DocumentNode, ExecutionResult } from 'graphql';
import type { Supergraph } from '../supergraph.ts';
import type { Transports, Variables } from '../transport.ts';
import { type Answer, answerOf, newRun } from './answer.ts';
import { type CompiledOperation, compileOperation } from './compiled-operation.ts';
import { createFlights } from './flights.ts';
import { type PlanError, runStep } from './run.ts';
import { type Answers, subscribeCompiled } from './subscription.ts';

/** A validated document and which of its operations to run. */
export interface Operation {
  readonly document: DocumentNode;
  readonly operationName?: string | undefined;
  readonly variables?: Variables | undefined;
}

/** Answers operations over one supergraph; what an operation costs once is paid at its first use. */
export interface Executor {
  /** Never rejects but for a fault of our own; an answer without data was refused before it ran. */
  execute(operation: Operation, from: Request): Promise<Answer>;
  /** An answer for every event, or the one that says why there will be none. */
  subscribe(operation: Operation, from: Request): Promise<Answers | Answer>;
  /** Plans and generates now what the first request would wait for. */
  compile(document: DocumentNode, operationName?: string): CompiledOperation;
}

/** @param transports - by name of the subgraph, one for each of the supergraph */
export function createExecutor(supergraph: Supergraph, transports: Transports): Executor {
  const compiled = new WeakMap<DocumentNode, Map<string, CompiledOperation>>();
  const flights = createFlights();

  function compile(document: DocumentNode, operationName?: string): CompiledOperation {
    const byName = compiled.get(document) ?? new Map<string, CompiledOperation>();
    compiled.set(document, byName);
    let operation = byName.get(operationName ?? '');
    if (!operation) {
      operation = compileOperation(supergraph, transports, document, operationName);
      byName.set(operationName ?? '', operation);
    }
    return operation;
  }

  return {
    compile,
    async execute({ document, operationName, variables = {} }, from) {
      const operation = compile(document, operationName);
      const { coerced, errors } = operation.coerce(variables) as Coercion;
      if (errors) return { errors: errors.map(refused) };
      if (operation.type === 'query') {
        const query = { operation, variables, from };
        return flights.join(query, (signal) => runPlan(operation, variables, coerced, { ...from, signal }));
      }
      // A write runs to its end whatever becomes of its client.
      const { signal: _, ...unsignalled } = from;
      return flights.write(() => runPlan(operation, variables, coerced, unsignalled));
    },
    async subscribe({ document, operationName, variables = {} }, from) {
      const operation = compile(document, operationName);
      const { coerced, errors } = operation.coerce(variables) as Coercion;
      return errors
        ? { errors: errors.map(refused) }
        : subscribeCompiled(operation, variables, coerced, from);
    },
  };
}

const refused = ({ message }: { readonly message: string }): PlanError => ({
  message,
  extensions: { code: 'BAD_USER_INPUT' },
});

type Coercion =
  | { readonly coerced: Variables; readonly errors?: undefined }
  | { readonly coerced?: undefined; readonly errors: NonNullable<ExecutionResult['errors']> };

async function runPlan(
  operation: CompiledOperation,
  variables: Variables,
  coerced: Variables,
  from: Request,
): Promise<Answer> {
  const run = newRun(variables, coerced, from);
  await runStep(operation.plan, run);
  return answerOf(operation, run);
}
