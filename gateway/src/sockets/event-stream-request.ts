import { AppError } from '@loyalty/platform/base/errors';
import type { FastifyRequest } from 'fastify';
import type { OperationMessage } from './connection-operations.ts';

/** Media types that answer an operation with a stream of results. */
export type StreamType = 'text/event-stream' | 'multipart/mixed';

const STREAMS: readonly string[] = ['text/event-stream', 'multipart/mixed'] satisfies StreamType[];
const ANSWERS = new Set([...STREAMS, 'application/json', 'application/graphql-response+json', '*/*']);

/**
 * Returns the kind of stream that the client prefers to all other media types of GraphQL answers, or null.
 * Some clients list streams after JSON with every query; they receive JSON. Multipart counts only with the
 * version of the subscription protocol: other clients mean `@defer`, which this graph does not have.
 */
export function streamTypeOf(request: FastifyRequest): StreamType | null {
  const [best] = (request.headers.accept ?? '')
    .split(',')
    .map(mediaRange)
    .filter(({ type, weight }) => ANSWERS.has(type) && weight > 0)
    .filter(({ type, hasSubscriptions }) => type !== 'multipart/mixed' || hasSubscriptions)
    .sort((a, b) => b.weight - a.weight);
  return best && STREAMS.includes(best.type) ? (best.type as StreamType) : null;
}

function mediaRange(text: string): { type: string; weight: number; hasSubscriptions: boolean } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return {
    type,
    weight: weight ? Number(weight.slice(2)) || 0 : 1,
    hasSubscriptions: parameters.some((parameter) => /^subscriptionspec="?1\.0"?$/.test(parameter)),
  };
}

/** Reads the operation of a request by GraphQL over HTTP. @throws AppError REQUEST_INVALID (400) */
export function sentBy({ method, query: parameters, body }: FastifyRequest): OperationMessage {
  const given = method === 'GET' ? fromUrl(parameters as Record<string, unknown>) : body;
  if (!isObject(given)) throw requestInvalid('The body must be a JSON object, sent as application/json.');
  const { query, operationName, variables, extensions, documentId } = given;
  if (query != null && typeof query !== 'string') throw requestInvalid('query must be a GraphQL document.');
  if (operationName != null && typeof operationName !== 'string') {
    throw requestInvalid('operationName must be a string.');
  }
  if (variables != null && !isObject(variables)) throw requestInvalid('variables must be a JSON object.');
  const operation = { operationName: operationName || undefined, variables: variables ?? undefined };
  return { query, ...operation, extensions, documentId };
}

const fromUrl = (parameters: Record<string, unknown>): Record<string, unknown> => ({
  ...parameters,
  variables: parsed('variables', parameters['variables']),
  extensions: parsed('extensions', parameters['extensions']),
});

function parsed(name: string, text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw requestInvalid(`${name} must be a JSON object.`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const requestInvalid = (message: string): AppError =>
  new AppError('BAD_USER_INPUT', 'REQUEST_INVALID', message);
