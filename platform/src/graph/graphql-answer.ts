import { isUtf8 } from 'node:buffer';
import type { ExecutionResult } from 'graphql';
import type { HttpAnswer } from '../outbound/http-post.ts';

const GRAPHQL_JSON = 'application/graphql-response+json';
const JSON_TYPES = new Set(['', 'application/json']);

/** Headers of every request for a GraphQL result; they name the accepted answers. */
export const GRAPHQL_HEADERS = {
  'content-type': 'application/json',
  accept: `${GRAPHQL_JSON}, application/json;q=0.9`,
  'accept-encoding': 'identity',
} as const;

/** Header by which the gateway allows that lists are read from a replica. */
export const REPLICA_HEADER = 'x-loyalty-may-read-replica';

/**
 * Returns the result in an answer, following "GraphQL over HTTP". `application/graphql-response+json` is a
 * result with any status. `application/json` may come from any server on the way: with 2xx it is a result,
 * with 4xx the errors of a refused request, and any other status is an error.
 *
 * @throws Error if the answer contains no result
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
