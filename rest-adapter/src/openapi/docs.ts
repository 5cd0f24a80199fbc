import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { Api } from '@loyalty/platform/http/api';
import { entityTag, hasEntityTag } from '@loyalty/platform/http/entity-tags';
import { ownOriginPolicy, pageHeaders } from '@loyalty/platform/http/page-headers';
import type { FastifyInstance } from 'fastify';
import { type DocumentOptions, type OpenApiDocument, openApi } from './openapi.ts';

/** The names of the documents in the reference. */
const documents: Readonly<Record<Api, string>> = {
  v2: 'Loyalty Platform (v2)',
  v1: 'Consumer State Model (v1)',
};

/**
 * Serves `/openapi/v2.json` and `/openapi/v1.json`, and at `/docs` a reference of both that works offline and
 * can send requests to its own origin.
 * They need no credential, because they hold no data.
 */
export async function docs(app: FastifyInstance, options: DocumentOptions): Promise<void> {
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(pageHeaders);
  });
  const apis = Object.keys(documents) as Api[];
  const described = { v1: openApi('v1', options), v2: openApi('v2', options) } satisfies Record<Api, unknown>;
  for (const api of apis) serveDocument(app, addressOf(api), described[api]);
  await app.register(swagger, { mode: 'static', specification: { document: described.v2 as never } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: ownOriginPolicy(),
    theme: { title: 'Loyalty Platform API' },
    uiConfig: {
      // With named documents, the bar at the top has no field that loads documents from other addresses.
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
  const etag = entityTag(text);
  app.get(address, async (request, reply) => {
    reply.headers({ etag, 'cache-control': 'no-cache' });
    if (hasEntityTag(request.headers['if-none-match'], etag)) return reply.status(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
