import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { type DocumentOptions, openApiV2 } from './openapi.ts';

/** Nothing of the reference comes from or goes to another origin; its script styles elements directly. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves `/openapi/v2.json`, and at `/docs` a reference that works offline and can send requests to its own
 * origin.
 * Both are for everybody: they say what there is, not what is in it.
 */
export async function docs(app: FastifyInstance, options: DocumentOptions): Promise<void> {
  const document = openApiV2(options);
  const text = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });
  app.get('/openapi/v2.json', async (request, reply) => {
    reply.headers({ etag, 'cache-control': 'no-cache' });
    const isKnown = request.headers['if-none-match']
      ?.split(/\s*,\s*/)
      .some((known) => known === '*' || known.replace(/^W\//, '') === etag);
    if (isKnown) return reply.status(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: POLICY,
    theme: { title: 'Loyalty Platform API' },
    // Without the bar on top, whose field loads documents from any address.
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'none',
      filter: true,
      tryItOutEnabled: true,
      validatorUrl: null,
    },
  });
}
