import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AppError, httpStatusOf } from '../errors.ts';
import { apiOfRequest } from './api.ts';

/** Headers of an answer that is an error, whichever API it is of. */
export const errorHeaders = ({ category, details }: AppError): Record<string, string> => ({
  ...(category === 'UNAUTHENTICATED' && { 'www-authenticate': 'Bearer' }),
  ...(details.retryAfterSeconds !== undefined && { 'retry-after': String(details.retryAfterSeconds) }),
});

/**
 * The documented error bodies: v2 `{error}`, v1 `{error: {code, message}}`, with `issues` beside it where a
 * file has some; RFC 9457 for who asks for it.
 */
export function sendRestError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const { code, message, details } = error;
  const status = httpStatusOf(error);
  reply
    .status(status)
    .headers({ 'x-error-code': code, 'x-request-id': request.id })
    .headers(errorHeaders(error));
  if (/application\/problem\+json/i.test(request.headers.accept ?? '')) {
    return reply.type('application/problem+json').send(JSON.stringify(problem(request.id, status, error)));
  }
  reply.type('application/json; charset=utf-8');
  if (apiOfRequest(request) !== 'v1') return reply.send({ error: message });
  const { issues } = details;
  return reply.send({ error: { code, message }, ...(issues && { issues }) });
}

function problem(requestId: string, status: number, { code, message, details: { field } }: AppError): object {
  // A JSON Pointer: `items[0].size` is /items/0/size.
  const pointer = field
    ?.replace(/\[(\d+)\]/g, '.$1')
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replaceAll('.', '/');
  return {
    type: `/docs/errors/${code}`,
    title: STATUS_CODES[status],
    status,
    detail: message,
    code,
    instance: requestId,
    ...(pointer && { errors: [{ pointer: `#/${pointer}`, code, detail: message }] }),
  };
}
