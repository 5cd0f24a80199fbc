import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addVary } from './vary.ts';

const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE';
/** Headers that scripts of an allowed origin may send, in addition to those that browsers always allow. */
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
/** Headers that scripts may read. */
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
/** Seconds for which a browser may cache a preflight; the maximum of Chromium. */
const KEPT_SECONDS = 7_200;

/**
 * Allows calls of scripts from these origins. Answers name the origin; preflights need no credential. Cookies
 * are not allowed: keys and tokens are sent in headers.
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
