import type { Caller } from '@loyalty/platform/base/caller';
import { AppError, internalError, invalid } from '@loyalty/platform/base/errors';
import { checkStorable } from '@loyalty/platform/base/input';
import { mapIterator } from '@loyalty/platform/base/iterators';
import type { Request } from '@loyalty/platform/context';
import type { Log } from '@loyalty/platform/observe/log';
import { outsideTrace, span } from '@loyalty/platform/observe/spans';
import type { DocumentNode, OperationTypeNode } from 'graphql';
import { limits } from './admission/limits.ts';
import { refusalOf } from './admission/refusals.ts';
import {
  formatErrors,
  graphQLErrorOf,
  type OperationOutcome,
  type OperationResult,
  unlessUnavailable,
  unsupportedOperation,
  withoutSchema,
} from './error-formatting.ts';
import { type CreateExecutor, createExecutor, type Executor } from './executor/run/executor.ts';
import {
  createOperations,
  type KnownOperation,
  type Operation,
  OperationFault,
  type Operations,
  RequestErrors,
  subscriptionHere,
} from './operations/operations.ts';
import type { Supergraph } from './supergraph/supergraph.ts';
import type { Transports } from './transport/transport.ts';

type OperationResults = AsyncIterableIterator<OperationResult, undefined>;

/** The graph. REST and GraphQL requests pass the same checks. */
export interface Graph {
  readonly supergraph: Supergraph;
  /** Uses another supergraph for new operations. Running operations finish on the old one. */
  replace(loaded: LoadedGraph): void;
  /** Answers a query or mutation; errors are formatted for clients. */
  execute(operation: Operation, from: Request): Promise<OperationResult>;
  /** Like `execute`, with unformatted errors; the document can be passed if it is already parsed. */
  answer(operation: Operation, from: Request, parsed?: DocumentNode): Promise<OperationOutcome>;
  /** Returns one result per event, or one result with the reason if there are none. */
  subscribe(operation: Operation, from: Request): Promise<OperationResults | OperationResult>;
  /**
   * Returns the refusal if the caller may not run the operation; null if it is allowed or the operation is
   * invalid.
   */
  refused(operation: Operation, caller: Caller): AppError | null;
  /** Returns the size limit for the request of the operation, in bytes. */
  bytesMax(operation: Operation): number;
  /** Returns null if the operation cannot be read; `subscribe` then returns the reasons. */
  typeOf(operation: Operation): OperationTypeNode | null;
  /** Plans operations before their first request; invalid ones are ignored. */
  warm(operations: readonly Operation[]): void;
}

interface LoadedGraph {
  readonly supergraph: Supergraph;
  /** One transport per subgraph of the supergraph. */
  readonly transports: Transports;
}

interface GraphOptions extends LoadedGraph {
  readonly log: Log;
  /** True for gateways in front of other supergraphs: any caller, any size, errors of subgraphs unchanged. */
  readonly isOpen?: boolean;
  /** The engine. Default: the compiled one. */
  readonly newExecutor?: CreateExecutor;
}

/** Executes operations on a supergraph over the given transports. */
export function createGraph(options: GraphOptions): Graph {
  const { isOpen = false } = options;
  let parts = partsOf(options);
  const format = (outcome: OperationOutcome): OperationResult => formatted(outcome, isOpen);
  return {
    get supergraph() {
      return parts.supergraph;
    },
    replace(other) {
      parts = partsOf({ ...options, ...other });
    },
    answer: (operation, from, parsed) => answer(parts, operation, from, parsed),
    execute: async (operation, from) => format(await answer(parts, operation, from)),
    async subscribe(operation, from) {
      const outcome = await subscribe(parts, operation, from);
      if (!(Symbol.asyncIterator in outcome)) return format(outcome);
      return mapIterator(outcome, { map: async (result: OperationOutcome) => formattedOnce(result, isOpen) });
    },
    refused(operation, caller) {
      const known = readable(parts, operation);
      return known && !isOpen ? refusalOf(known, operation.variables ?? {}, caller) : null;
    },
    bytesMax: (operation) => readable(parts, operation)?.facts.bytesMax ?? limits.bodyBytes,
    typeOf: (operation) => readable(parts, operation)?.facts.type ?? null,
    warm(all) {
      for (const operation of all) {
        try {
          const { document, name } = parts.operations.read(operation);
          parts.executor.compile(document, name);
        } catch {}
      }
    },
  };
}

function partsOf(options: GraphOptions): GraphParts {
  const { supergraph, transports, log, isOpen = false, newExecutor = createExecutor } = options;
  return {
    supergraph,
    operations: createOperations(supergraph, isOpen),
    executor: newExecutor(supergraph, transports, log),
    log,
    isOpen,
  };
}

/** The size limit of operations without a file. */
const ORDINARY_BYTES = limits.bodyBytes + limits.documentBytes;

interface GraphParts {
  readonly supergraph: Supergraph;
  readonly operations: Operations;
  readonly executor: Executor;
  readonly log: Log;
  readonly isOpen: boolean;
}

async function answer(
  parts: GraphParts,
  operation: Operation,
  from: Request,
  parsed?: DocumentNode,
): Promise<OperationOutcome> {
  try {
    const { document, name, facts, cost } = admitted(parts, operation, from, parsed);
    if (facts.type === 'subscription') throw subscriptionHere();
    const { variables } = operation;
    const request = facts.bytesMax > ORDINARY_BYTES ? { ...from, bringsFile: true } : from;
    const known = { document, operationName: name, variables };
    const executed = await traced(known, facts, () => parts.executor.execute(known, request));
    const available = executed.errors && !parts.isOpen ? unlessUnavailable(executed) : executed;
    const shown = shownTo(from.caller, parts, available);
    return cost
      ? { ...shown, extensions: { cost: { estimated: cost.of(variables ?? {}), limit: limits.cost } } }
      : shown;
  } catch (error) {
    return failed(parts, error, from);
  }
}

async function subscribe(parts: GraphParts, operation: Operation, from: Request) {
  try {
    const { document, name, facts } = admitted(parts, operation, from);
    const known = { document, operationName: name, variables: operation.variables };
    if (facts.type !== 'subscription')
      return shownTo(
        from.caller,
        parts,
        await traced(known, facts, () => parts.executor.execute(known, from)),
      );
    const started = await traced(known, facts, () => parts.executor.subscribe(known, from));
    return Symbol.asyncIterator in started ? untraced(started) : shownTo(from.caller, parts, started);
  } catch (error) {
    return failed(parts, error, from);
  }
}

/**
 * Runs an operation within a span.
 *
 * @remarks Source: OpenTelemetry semantic conventions, GraphQL server spans
 */
function traced<T>(
  { operationName }: { readonly operationName?: string | undefined },
  { type }: KnownOperation['facts'],
  run: () => Promise<T>,
): Promise<T> {
  const named = operationName && { 'graphql.operation.name': operationName };
  return span(type, { attributes: { 'graphql.operation.type': type, ...named } }, run);
}

/**
 * Events may come for hours, so the trace of the subscribing request ends with the start of the subscription.
 */
const untraced = <T>(results: AsyncIterableIterator<T, undefined>): AsyncIterableIterator<T, undefined> => ({
  next: () => outsideTrace(() => results.next()),
  return: async () => (await results.return?.()) ?? { done: true, value: undefined },
  [Symbol.asyncIterator]() {
    return this;
  },
});

/** Returns a valid, permitted operation within the limits. @throws RequestErrors or AppError otherwise */
function admitted(
  { operations, isOpen }: GraphParts,
  operation: Operation,
  { caller, idempotencyKey }: Request,
  parsed?: DocumentNode,
): KnownOperation {
  const known = operations.read(operation, parsed);
  if (idempotencyKey && !isOpen && known.facts.type === 'mutation' && known.facts.hasSeveralFields)
    throw invalid('Idempotency-Key', 'stands for one mutation: send each mutation in a request of its own');
  const refused = isOpen ? null : refusalOf(known, operation.variables ?? {}, caller);
  if (refused) throw refused;
  if (!isOpen) checkVariables(operation.variables ?? {});
  const tooCostly = known.cost?.refusal(operation.variables ?? {});
  if (tooCostly) throw tooCostly;
  return known;
}

/** @throws AppError VALIDATION_FAILED (400) with the path of a value that cannot be stored */
function checkVariables(variables: NonNullable<Operation['variables']>): void {
  for (const name of Object.keys(variables)) checkStorable(name, variables[name]);
}

/** Returns the operation; null if it is invalid. */
function readable({ operations }: GraphParts, operation: Operation): KnownOperation | null {
  try {
    return operations.read(operation);
  } catch {
    return null;
  }
}

/** For callers without a credential, errors of an operation that did not run must not reveal the schema. */
function shownTo(
  caller: Caller,
  { isOpen }: GraphParts,
  { errors, ...rest }: OperationOutcome,
): OperationOutcome {
  if (!errors) return rest;
  const isStranger = caller.kind === 'ANONYMOUS' && !isOpen && rest.data === undefined;
  return { ...rest, errors: isStranger ? withoutSchema(errors) : errors };
}

function failed(parts: GraphParts, error: unknown, { caller, requestId }: Request): OperationOutcome {
  const { log } = parts;
  if (error instanceof RequestErrors) return shownTo(caller, parts, { errors: error.errors });
  if (error instanceof AppError) return { errors: [graphQLErrorOf(error)] };
  if (error instanceof OperationFault) {
    log.error({ err: error.cause, requestId }, 'operation could not be read or planned');
    return { errors: [unsupportedOperation()] };
  }
  log.error({ err: error, requestId }, 'operation failed');
  return { errors: [graphQLErrorOf(internalError())] };
}

const formattedResults = new WeakMap<OperationOutcome, OperationResult>();

/** Equal subscriptions of one caller share the outcome; it is formatted only once. */
function formattedOnce(outcome: OperationOutcome, isOpen: boolean): OperationResult {
  const result = formattedResults.get(outcome) ?? formatted(outcome, isOpen);
  formattedResults.set(outcome, result);
  return result;
}

function formatted({ errors, ...rest }: OperationOutcome, isOpen: boolean): OperationResult {
  return errors ? { ...rest, errors: formatErrors(errors, isOpen) } : rest;
}
