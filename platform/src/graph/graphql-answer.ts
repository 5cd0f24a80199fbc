import { isUtf8 } from 'node:buffer';
import type { ExecutionResult } from 'graphql';
import type { HttpAnswer } from '../outbound/http-post.ts';

const GRAPHQL_JSON = 'application/graphql-response+json';
const JSON_TYPES = new Set(['', 'application/json']);

/** Headers of every request for a GraphQL result: what its answer may be. */
export const GRAPHQL_HEADERS = {
  'content-type': 'application/json',
  accept: `${GRAPHQL_JSON}, application/json;q=0.9`,
  'accept-encoding': 'identity',
} as const;

/** Header with which the gateway says that lists may be read from a replica. */
export const REPLICA_HEADER = 'x-loyalty-may-read-replica';

/**
 * The result that an answer holds, as "GraphQL over HTTP" has it: `application/graphql-response+json` is one
 * whatever the status. `application/json` may come from anybody on the way there: with 2xx it is a result,
 * with 4xx the errors of a request that was refused, otherwise nothing can be relied on.
 *
 * @throws Error where there is none
 */
export function resultOf({ status, headers, body }: HttpAnswer): ExecutionResult {
  const { type, charset } = mediaTypeOf(String(headers['content-type'] ?? ''));
  if (type !== GRAPHQL_JSON && !JSON_TYPES.has(type)) throw unusable(status, 'no JSON');
  if (charset !== 'utf-8' || String(headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw unusable(status, 'an encoding that was not asked for');
  }
  const isWellFormed = type === GRAPHQL_JSON || (status >= 200 && status < 300);
  if (!isWellFormed && (status < 400 || status >= 500)) throw unusable(status, 'no GraphQL result');
  const result = parsed(body, status);
  if (isWellFormed) return result as ExecutionResult;
  if (result['data'] || !Array.isArray(result['errors'])) throw unusable(status, 'no GraphQL result');
  return { errors: result['errors'] };
}

function mediaTypeOf(header: string): { readonly type: string; readonly charset: string } {
  const [type = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const given = parameters.find((parameter) => parameter.startsWith('charset='));
  const charset = given?.slice('charset='.length).replaceAll('"', '') ?? 'utf-8';
  return { type, charset: charset === 'utf8' ? 'utf-8' : charset };
}

const BYTE_ORDER_MARK = 0xfeff;

function parsed(body: Buffer, status: number): Record<string, unknown> {
  if (!isUtf8(body)) throw unusable(status, 'a body that is not UTF-8');
  const text = body.toString();
  const result: unknown = JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  const isResult = typeof result === 'object' && result !== null && ('data' in result || 'errors' in result);
  if (!isResult) throw unusable(status, 'no GraphQL result');
  return result as Record<string, unknown>;
}

const unusable = (status: number, what: string): Error => new Error(`Status ${status} with ${what}.`);
