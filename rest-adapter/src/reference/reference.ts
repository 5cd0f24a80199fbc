import { readFileSync } from 'node:fs';
import type { Api } from '@loyalty/platform/http/api';
import { entityTag, hasEntityTag } from '@loyalty/platform/http/entity-tags';
import { referenceLook } from '@loyalty/platform/http/reference-look/reference-head';
import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from '../openapi/openapi.ts';
import { type DemoAccount, referencePage } from './reference-page.ts';

const html = 'text/html; charset=utf-8';
const files = {
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'logo.svg': 'image/svg+xml',
} as const;

/** Serves a page per document and the files that the pages load. A page is written at its first request. */
export function addReference(
  app: FastifyInstance,
  documents: Readonly<Record<Api, OpenApiDocument>>,
  shown: { readonly demo: DemoAccount; readonly address: string },
): void {
  const { demo } = shown;
  const account = demo && { email: demo.email, password: demo.password };
  const page = (api: Api) => () => referencePage(api, documents[api], shown);
  serveText(app, ['/docs', '/docs/'], html, page('v2'));
  serveText(app, ['/docs/v1'], html, page('v1'));
  serveText(app, ['/docs/demo-account.json'], 'application/json', () => JSON.stringify(account));
  serveText(app, ['/docs/look.css'], files['reference.css'], () => referenceLook);
  for (const [name, type] of Object.entries(files)) {
    const content = readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
    serveText(app, [`/docs/${name}`], type, () => content);
  }
}

/** Serves a text at these addresses. It is written at its first request and has an ETag. */
export function serveText(
  app: FastifyInstance,
  paths: readonly string[],
  type: string,
  write: () => string,
): void {
  let text: string | undefined;
  let etag = '';
  for (const path of paths) {
    app.get(path, async (request, reply) => {
      if (text === undefined) {
        text = write();
        etag = entityTag(text);
      }
      reply.headers({ etag, 'cache-control': 'no-cache' });
      if (hasEntityTag(request.headers['if-none-match'], etag)) return reply.status(304).send();
      return reply.type(type).send(text);
    });
  }
}
