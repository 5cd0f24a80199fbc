import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AppError, httpStatusOf, inputFaults } from '../base/errors.ts';
import { apiOfRequest } from './api.ts';

/** Headers of an error answer, the same for all APIs. */
export const errorHeaders = ({ category, details }: AppError): Record<string, string> => ({
  ...(category === 'UNAUTHENTICATED' && { 'www-authenticate': 'Bearer' }),
  ...(details.retryAfterSeconds !== undefined && { 'retry-after': String(details.retryAfterSeconds) }),
});

/**
 * Sends an error in its documented form: v2 `{error}`, v1 `{error: {code, message}}`, with `issues` if the
 * error is about a file; RFC 9457 with every wrong field if the client asks for it.
 */
export function sendRestError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const { code, message, details } = error;
  const status = httpStatusOf(error);
  reply
    .status(status)
    .headers({ 'x-error-code': code, 'x-request-id': request.id })
    .headers(errorHeaders(error));
  if (/application\/problem\+json/i.test(request.headers.accept ?? '')) {
    const { publicUrl = `${request.protocol}://${request.host}` } = request.server;
    return reply.type('application/problem+json').send(JSON.stringify(problem(publicUrl, request.id, error)));
  }
  reply.type('application/json; charset=utf-8');
  if (apiOfRequest(request) !== 'v1') return reply.send({ error: message });
  const { issues } = details;
  return reply.send({ error: { code, message }, ...(issues && { issues }) });
}

/**
 * @param origin - origin of the pages that explain codes; the `type` of a problem is the address of such a
 * page
 */
function problem(origin: string, requestId: string, error: AppError): object {
  const { code, message } = error;
  const status = httpStatusOf(error);
  const errors = inputFaults(error).map((fault) => ({
    pointer: pointerTo(fault.field),
    code: fault.code,
    detail: fault.message,
  }));
  return {
    type: `${origin}/docs/errors/${code}`,
    title: STATUS_CODES[status],
    status,
    detail: message,
    code,
    instance: requestId,
    ...(errors.length > 0 && { errors }),
  };
}

/** Returns a JSON Pointer: `items[0].size` becomes #/items/0/size. */
const pointerTo = (field: string): string =>
  `#/${field
    .replace(/\[(\d+)\]/g, '.$1')
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replaceAll('.', '/')}`;
