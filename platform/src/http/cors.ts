import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addVary } from './vary.ts';

const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE';
/** What scripts of an allowed origin may send, beside what browsers allow everybody. */
const HEADERS = [
  'Authorization',
  'X-API-Key',
  'Content-Type',
  'Idempotency-Key',
  'X-Loyalty-Mode',
  'X-Request-Id',
  'If-None-Match',
  'Apollo-Require-Preflight',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');
/** What they may read. */
const EXPOSED = [
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
  'X-Error-Code',
  'ETag',
  'Idempotent-Replayed',
  'Deprecation',
  'Sunset',
  'Link',
].join(', ');
/** How long a browser may keep the answer to a preflight; Chromium takes no more. */
const KEPT_SECONDS = 7_200;

/**
 * Lets scripts of these origins call: answers name the origin, and preflights are answered without
 * a credential. Browsers must send no cookies along; keys and tokens stand in headers.
 */
export function addCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    addVary(reply, 'Origin');
    if (origin === undefined || !allowed.has(origin)) return;
    reply.header('access-control-allow-origin', origin);
    if (isPreflight(request)) return answerPreflight(reply);
    reply.header('access-control-expose-headers', EXPOSED);
  });
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .status(204)
    .headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': HEADERS,
      'access-control-max-age': String(KEPT_SECONDS),
    })
    .send();
}
