import { readFileSync } from 'node:fs';
import type { Api } from '@loyalty/platform/http/api';
import { entityTag, hasEntityTag } from '@loyalty/platform/http/entity-tags';
import { ownOriginPolicy } from '@loyalty/platform/http/page-headers';
import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from '../openapi/openapi.ts';
import { type DemoAccount, referencePage } from './reference-page.ts';

const html = 'text/html; charset=utf-8';
const files = {
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'logo.svg': 'image/svg+xml',
} as const;

/** Serves a page per document and the files that the pages load. Each page is written once. */
export function addReference(
  app: FastifyInstance,
  documents: Readonly<Record<Api, OpenApiDocument>>,
  shown: { readonly demo: DemoAccount; readonly address: string },
): void {
  const { demo } = shown;
  const account = demo && { email: demo.email, password: demo.password };
  const v2 = referencePage('v2', documents.v2, shown);
  serve(app, '/docs', { type: html, content: v2 });
  serve(app, '/docs/', { type: html, content: v2 });
  serve(app, '/docs/v1', { type: html, content: referencePage('v1', documents.v1, shown) });
  serve(app, '/docs/demo-account.json', { type: 'application/json', content: JSON.stringify(account) });
  for (const [name, type] of Object.entries(files)) {
    const content = readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
    serve(app, `/docs/${name}`, { type, content });
  }
}

function serve(
  app: FastifyInstance,
  path: string,
  { type, content }: { type: string; content: string },
): void {
  const etag = entityTag(content);
  app.get(path, async (request, reply) => {
    reply.headers({ etag, 'cache-control': 'no-cache', 'content-security-policy': ownOriginPolicy() });
    if (hasEntityTag(request.headers['if-none-match'], etag)) return reply.status(304).send();
    return reply.type(type).send(content);
  });
}
