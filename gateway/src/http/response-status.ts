import type { FastifyInstance, FastifyReply } from 'fastify';

/** Reasons that blame the operation itself, not its caller or the request. */
const OPERATION_FAULTS = new Set([
  'PARSE_FAILED',
  'OPERATION_INVALID',
  'OPERATION_UNKNOWN',
  'VALIDATION_FAILED',
]);

/**
 * GraphQL over HTTP has two media types. With `application/graphql-response+json` the status depends on the
 * operation. Clients of the older `application/json` expect 200 for every well-formed request, with errors in
 * the body. They take any other status for a failure of the server or of a proxy. Measurements count the
 * fault; the call log has its reason.
 */
export function addResponseStatus(scope: FastifyInstance): void {
  scope.addHook('onSend', (request, reply, payload, done) => {
    const reasons = reasonsIn(payload);
    request.reason = reasons[0] ?? null;
    if (reply.statusCode === 400 && isJson(reply) && reasons.some((each) => OPERATION_FAULTS.has(each))) {
      request.faultStatus = 400;
      reply.status(200);
    }
    done(null, payload);
  });
}

const isJson = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type') ?? '').startsWith('application/json');

/** Errors come first in every answer that has some, so that other answers are not parsed. */
function reasonsIn(payload: unknown): string[] {
  if (typeof payload !== 'string' || !payload.startsWith('{"errors":')) return [];
  const { errors } = JSON.parse(payload) as { errors: { extensions?: { reason?: string } }[] };
  return errors.flatMap(({ extensions }) => extensions?.reason ?? []);
}
