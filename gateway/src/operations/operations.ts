import type { ErrorReason } from '@loyalty/platform/base/error-reasons';
import { AppError } from '@loyalty/platform/base/errors';
import { memoize } from '@loyalty/platform/base/memoize';
import {
  type DocumentNode,
  GraphQLError,
  getOperationAST,
  parse,
  SingleFieldSubscriptionsRule,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { documentRefusal, limits } from '../admission/limits.ts';
import type { Supergraph } from '../supergraph/supergraph.ts';
import { compileCost, type OperationCost } from './cost.ts';
import { costModel } from './cost-model.ts';
import { type OperationFacts, operationFacts } from './operation-facts.ts';
import { storableTextRule, subscriptionRootRule } from './validation-rules.ts';

/** One operation as a client sent it. */
export interface Operation {
  readonly query: string;
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** A valid operation and its facts. */
export interface KnownOperation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly facts: OperationFacts;
  /** Null in an open gateway, which has no cost limit. */
  readonly cost: OperationCost | null;
}

export interface Operations {
  /**
   * Parses, measures and validates an operation, once per text.
   *
   * @param parsed - the document, if it is already parsed
   * @throws RequestErrors with all errors of the operation
   */
  read(operation: Operation, parsed?: DocumentNode): KnownOperation;
}

/** The errors for which an operation cannot run at all. */
export class RequestErrors extends Error {
  override readonly name = 'RequestErrors';
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super(errors.map(({ message }) => message).join('\n'));
    this.errors = errors;
  }
}

/** An unexpected failure while reading or planning an operation; the cause is for the log. */
export class OperationFault extends Error {
  override readonly name = 'OperationFault';
}

/** Reads or plans an operation. @throws OperationFault after an unexpected failure */
export function fromOperation<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof RequestErrors || cause instanceof AppError) throw cause;
    throw new OperationFault('The operation could not be read or planned.', { cause });
  }
}

const KEPT_MAX = 2_000;
/** Maximum of characters of all cached texts. */
const KEPT_CHARACTERS = 20_000_000;
/** Maximum of validation errors in an answer. */
const FAULTS_MAX = 20;
/** Rules of graphql-js; the gateway of the product adds one rule. */
const anyRules = specifiedRules.map((rule) =>
  rule === SingleFieldSubscriptionsRule ? subscriptionRootRule : rule,
);
const ownRules = [...anyRules, storableTextRule];

const modelOf = memoize(({ sdl }: Supergraph) => costModel(sdl));

/** @param isOpen - allows operations of any size, for gateways with trusted clients */
export function createOperations(supergraph: Supergraph, isOpen: boolean): Operations {
  const { schema, access } = supergraph;
  const model = isOpen ? null : modelOf(supergraph);
  const kept = new LRUCache<string, KnownOperation>({
    max: KEPT_MAX,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_, key) => key.length,
  });
  return {
    read({ query, operationName }, parsed) {
      const key = `${operationName ?? ''}\0${query}`;
      const known = kept.get(key);
      if (known) return known;
      const operation = fromOperation(() => readNew(query, operationName, parsed));
      kept.set(key, operation);
      return operation;
    },
  };

  function readNew(query: string, operationName: string | undefined, parsed?: DocumentNode): KnownOperation {
    const document = parsed ?? parseQuery(query, isOpen);
    const tooLarge = isOpen ? null : documentRefusal(document);
    if (tooLarge) throw tooLarge;
    const faults = validate(schema, document, isOpen ? anyRules : ownRules, { maxErrors: FAULTS_MAX });
    if (faults.length > 0)
      throw new RequestErrors(faults.map((fault) => invalid(fault, 'OPERATION_INVALID')));
    const ast = getOperationAST(document, operationName);
    if (!ast) throw new RequestErrors([unknown(operationName)]);
    const facts = operationFacts(document, operationName, schema, access);
    const cost = model && compileCost(schema, model, document, ast);
    return { document, name: operationName, facts, cost };
  }
}

function parseQuery(query: string, isOpen: boolean): DocumentNode {
  try {
    return parse(query, isOpen ? {} : { maxTokens: limits.tokens });
  } catch (error) {
    throw new RequestErrors([invalid(error as GraphQLError, 'PARSE_FAILED')]);
  }
}

function invalid(error: GraphQLError, reason: ErrorReason): GraphQLError {
  const { message, nodes, source, positions } = error;
  const place = { ...(nodes && { nodes }), ...(source && { source }), ...(positions && { positions }) };
  return new GraphQLError(message, { ...place, extensions: { code: 'BAD_USER_INPUT', reason } });
}

const unknown = (name: string | undefined): GraphQLError =>
  new GraphQLError(
    name
      ? `The document has no operation named ${name}.`
      : 'Send operationName: the document has several operations, or none.',
    { extensions: { code: 'BAD_USER_INPUT', reason: 'OPERATION_UNKNOWN' } },
  );

/** The error for a subscription at a place that returns a single answer. */
export const subscriptionHere = (): AppError =>
  new AppError(
    'BAD_USER_INPUT',
    'SUBSCRIPTION_OVER_HTTP',
    'Subscriptions are served over WebSocket or Server-Sent Events.',
  );
