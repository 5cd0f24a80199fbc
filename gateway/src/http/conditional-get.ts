import { entityTag, hasEntityTag } from '@loyalty/platform/http/entity-tags';
import { addVary, CALLERS_VARY } from '@loyalty/platform/http/vary';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Conditional GET: the answer to a query without errors has an ETag, so that an unchanged answer is not sent
 * again. Other answers must not be cached. Answers belong to one caller, so only a private cache may store
 * them, and it must revalidate them every time.
 */
export function addConditionalGet(scope: FastifyInstance): void {
  scope.addHook('onSend', (request, reply, payload, done) => {
    if (isPage(reply)) return done(null, payload);
    addVary(reply, CALLERS_VARY);
    if (!isKept(request, reply, payload)) {
      reply.header('cache-control', 'no-store');
      return done(null, payload);
    }
    const etag = entityTag(String(reply.getHeader('content-type')), payload);
    reply.headers({ 'cache-control': 'private, no-cache', etag });
    if (!hasEntityTag(request.headers['if-none-match'], etag)) return done(null, payload);
    reply.status(304).removeHeader('content-type').removeHeader('content-length');
    done(null, '');
  });
}

const isPage = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type') ?? '').startsWith('text/html');

/** Apollo Server writes errors first if there are any. */
const isKept = (request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string =>
  request.method === 'GET' &&
  reply.statusCode === 200 &&
  typeof payload === 'string' &&
  payload.startsWith('{"data":');
