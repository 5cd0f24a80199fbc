import type { Api } from '@loyalty/platform/http/api';
import { ownOriginPolicy, pageHeaders } from '@loyalty/platform/http/page-headers';
import type { FastifyInstance } from 'fastify';
import { addReference, serveText } from '../reference/reference.ts';
import type { DemoAccount } from '../reference/reference-page.ts';
import { type DocumentOptions, type OpenApiDocument, openApi } from './openapi.ts';
import { postmanCollection } from './postman.ts';

const json = 'application/json; charset=utf-8';

/** What is documented, and the account with which the reference may make test keys. */
export interface DocsOptions extends DocumentOptions {
  readonly demo: DemoAccount;
  /** Where the examples of the quick start are sent. */
  readonly address: string;
}

/**
 * Serves `/openapi/v2.json` and `/openapi/v1.json`, the same as collections of Postman, and at `/docs` and
 * `/docs/v1` a reference of each that works offline and can send requests to its own origin.
 * They need no credential, because they hold no data.
 */
export async function docs(app: FastifyInstance, { demo, address, ...options }: DocsOptions): Promise<void> {
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ ...pageHeaders, 'content-security-policy': ownOriginPolicy() });
  });
  const described = { v1: openApi('v1', options), v2: openApi('v2', options) };
  for (const api of Object.keys(described) as Api[]) {
    serveText(app, [`/openapi/${api}.json`], json, () => JSON.stringify(described[api]));
    serveCollection(app, api, described[api], options.url);
  }
  addReference(app, described, { demo, address });
}

/** A collection for Postman names the address that it came from, so that it runs as it is. */
function serveCollection(
  app: FastifyInstance,
  api: Api,
  document: OpenApiDocument,
  publicUrl: string | undefined,
): void {
  app.get(`/openapi/${api}.postman.json`, async ({ protocol, host }, reply) => {
    const url = publicUrl ?? `${protocol}://${host}`;
    reply.header('content-disposition', `attachment; filename="loyalty-${api}.postman.json"`);
    return reply.type(json).send(postmanCollection(document, url));
  });
}
