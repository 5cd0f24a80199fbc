import { STATUS_CODES } from 'node:http';
import { AppError, type ErrorCategory, fieldSentence, httpStatus } from '@loyalty/platform/errors';
import { apiOfRequest } from '@loyalty/platform/http/api';
import { readRest } from '@loyalty/platform/http/request-bodies';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import type { Row } from './table/row.ts';
import type { RowOperation } from './table/row-operation.ts';

/** An error of the graph for REST, where the field has its documented name. */
export function appErrorOf(
  error: GraphQLFormattedError,
  operation: RowOperation,
  prefixed: Row['prefixed'] = {},
): AppError {
  const { code, reason, field, retryAfterSeconds } = (error.extensions ?? {}) as Record<string, unknown>;
  if (typeof code !== 'string' || !Object.hasOwn(httpStatus, code)) {
    // Not one of our errors: its words may tell how we are built.
    return new AppError(
      'INTERNAL_SERVER_ERROR',
      'INTERNAL',
      'Something went wrong on our side. Quote the X-Request-Id of this answer.',
    );
  }
  const sentence = withoutField(error);
  const renamed = typeof field === 'string' ? withPrefix(parameterOf(field, operation), prefixed) : undefined;
  const message =
    renamed && sentence.startsWith(`${field} `) ? renamed + sentence.slice(String(field).length) : sentence;
  return new AppError(code as ErrorCategory, String(reason ?? 'INTERNAL'), message, {
    ...(renamed && { field: renamed }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  });
}

/** A refusal without the field of the graph that it names: a row is refused as a whole. */
function withoutField({ message, path }: GraphQLFormattedError): string {
  const field = path ? fieldSentence(path) : '';
  return field && message.endsWith(field) ? message.slice(0, -field.length) : message;
}

/** `input.customAttributes.size` → `customAttributes.size`, through the document's own arguments. */
function parameterOf(field: string, { parameters }: RowOperation): string {
  let best: { readonly name: string; readonly argument: string } | null = null;
  for (const { name, argument } of parameters) {
    if (argument === null || argument.length <= (best?.argument.length ?? 0)) continue;
    const isAtOrBelow = field.startsWith(argument) && /^([.[]|$)/.test(field.slice(argument.length));
    if (isAtOrBelow) best = { name, argument };
  }
  return best ? best.name + field.slice(best.argument.length) : field.replace(/^input\./, '');
}

/** `filters.status` was sent as `f_status`. */
function withPrefix(parameter: string, prefixed: NonNullable<Row['prefixed']>): string {
  for (const [prefix, variable] of Object.entries(prefixed))
    if (parameter.startsWith(`${variable}.`)) return prefix + parameter.slice(variable.length + 1);
  return parameter;
}

/** Statuses that only HTTP knows, finer than the category's. */
const ownStatus: Readonly<Record<string, number>> = { METHOD_NOT_ALLOWED: 405, MEDIA_TYPE_UNSUPPORTED: 415 };

/** The documented error bodies: v2 `{error}`, v1 `{error: {code, message}}`; RFC 9457 for who asks for it. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const { category, code, message, details } = error;
  const status = ownStatus[code] ?? httpStatus[category];
  reply.status(status).header('x-error-code', code).header('x-request-id', request.id);
  if (category === 'UNAUTHENTICATED') reply.header('www-authenticate', 'Bearer');
  if (details.retryAfterSeconds !== undefined) reply.header('retry-after', String(details.retryAfterSeconds));
  if (/application\/problem\+json/i.test(request.headers.accept ?? '')) {
    return reply.type('application/problem+json').send(JSON.stringify(problem(request.id, status, error)));
  }
  reply.type('application/json; charset=utf-8');
  return reply.send(apiOfRequest(request) === 'v1' ? { error: { code, message } } : { error: message });
}

/** Fastify's `frameworkErrors`: a path that cannot be decoded, or with an endless segment, names nothing. */
export function sendPathUnreadable(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  readRest(request, reply);
  reply.header('cache-control', 'no-store');
  sendError(
    request,
    reply,
    new AppError('NOT_FOUND', 'PATH_NOT_FOUND', 'There is no such path here. See /docs for every path.'),
  );
}

function problem(requestId: string, status: number, { code, message, details: { field } }: AppError): object {
  // A JSON Pointer: `items[0].size` is /items/0/size.
  const pointer = field
    ?.replace(/\[(\d+)\]/g, '.$1')
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replaceAll('.', '/');
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail: message,
    code,
    instance: requestId,
    ...(pointer && { errors: [{ pointer: `#/${pointer}`, code, detail: message }] }),
  };
}
