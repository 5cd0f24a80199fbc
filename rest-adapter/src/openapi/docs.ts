import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { Api } from '@loyalty/platform/http/api';
import type { FastifyInstance } from 'fastify';
import { type DocumentOptions, type OpenApiDocument, openApi } from './openapi.ts';

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

/** The documents by the names that the reference offers them under. */
const documents: Readonly<Record<Api, string>> = {
  v2: 'Loyalty Platform (v2)',
  v1: 'Consumer State Model (v1)',
};

/**
 * Serves `/openapi/v2.json` and `/openapi/v1.json`, and at `/docs` a reference of both that works offline and
 * can send requests to its own origin.
 * All are for everybody: they say what there is, not what is in it.
 */
export async function docs(app: FastifyInstance, options: DocumentOptions): Promise<void> {
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });
  const apis = Object.keys(documents) as Api[];
  const described = { v1: openApi('v1', options), v2: openApi('v2', options) } satisfies Record<Api, unknown>;
  for (const api of apis) serveDocument(app, addressOf(api), described[api]);
  await app.register(swagger, { mode: 'static', specification: { document: described.v2 as never } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: POLICY,
    theme: { title: 'Loyalty Platform API' },
    uiConfig: {
      // With the documents named, the bar on top has no field that loads others from any address.
      layout: 'StandaloneLayout',
      urls: apis.map((api) => ({ url: addressOf(api), name: documents[api] })),
      docExpansion: 'none',
      filter: true,
      tryItOutEnabled: true,
      validatorUrl: null,
    },
  });
}

const addressOf = (api: Api): string => `/openapi/${api}.json`;

function serveDocument(app: FastifyInstance, address: string, document: OpenApiDocument): void {
  const text = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  app.get(address, async (request, reply) => {
    reply.headers({ etag, 'cache-control': 'no-cache' });
    const isKnown = request.headers['if-none-match']
      ?.split(/\s*,\s*/)
      .some((known) => known === '*' || known.replace(/^W\//, '') === etag);
    if (isKnown) return reply.status(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
