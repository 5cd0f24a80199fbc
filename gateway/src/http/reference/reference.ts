import { readFileSync } from 'node:fs';
import { html } from '@loyalty/platform/base/html';
import { entityTag, hasEntityTag } from '@loyalty/platform/http/entity-tags';
import { ownOriginPolicy, pageHeaders } from '@loyalty/platform/http/page-headers';
import { referenceLook } from '@loyalty/platform/http/reference-look/reference-head';
import '@loyalty/platform/http/http-request';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { printSchema } from 'graphql';
import { errorIndexPage, errorPage } from './error-pages.ts';
import { graphIndexPage, graphTypePage } from './graph-pages.ts';
import { ERRORS_PAGE, GRAPH_PAGE, referencePage, type ShownGraph, trail } from './reference-html.ts';

interface ReferenceOptions {
  /** Read for each page: the graph may be exchanged while the process runs. */
  readonly shown: () => ShownGraph;
}

const script = readFileSync(new URL('filter.js', import.meta.url));
const headers = {
  ...pageHeaders,
  'content-security-policy': ownOriginPolicy(),
  'cache-control': 'no-cache',
} as const;

/**
 * Serves `/docs/graphql` with a page for each type and the SDL as a file, and `/docs/errors` with a page for
 * each reason. They are
 * made from the graph, need no credential and load nothing from elsewhere.
 */
export async function reference(app: FastifyInstance, { shown }: ReferenceOptions): Promise<void> {
  const page = (path: string, render: (name: string) => string | null) =>
    app.get(path, async (request, reply) =>
      send(request, reply, render((request.params as { readonly name?: string }).name ?? '')),
    );
  page(GRAPH_PAGE.href, () => graphIndexPage(shown()));
  page(`${GRAPH_PAGE.href}/:name`, (name) => graphTypePage(shown(), name));
  page(ERRORS_PAGE.href, () => errorIndexPage(shown().schema));
  page(`${ERRORS_PAGE.href}/:name`, (name) => errorPage(shown().schema, name, app.publicUrl));
  app.get(`${GRAPH_PAGE.href}/schema.graphql`, async (_, reply) =>
    reply
      .headers({ ...headers, 'content-disposition': 'attachment; filename="loyalty.graphql"' })
      .type('application/graphql; charset=utf-8')
      .send(`${printSchema(shown().schema)}\n`),
  );
  app.get(`${GRAPH_PAGE.href}/look.css`, async (_, reply) =>
    reply.headers(headers).type('text/css; charset=utf-8').send(referenceLook),
  );
  app.get(`${GRAPH_PAGE.href}/filter.js`, async (_, reply) =>
    reply.headers(headers).type('text/javascript; charset=utf-8').send(script),
  );
}

function send(request: FastifyRequest, reply: FastifyReply, page: string | null): FastifyReply {
  reply.headers(headers).type('text/html; charset=utf-8');
  if (page === null) return reply.status(404).send(unknown());
  const etag = entityTag(page);
  reply.header('etag', etag);
  return hasEntityTag(request.headers['if-none-match'], etag) ? reply.status(304).send() : reply.send(page);
}

const unknown = (): string =>
  referencePage({
    title: 'There is no such page',
    body: html`${trail(GRAPH_PAGE, ERRORS_PAGE)}<p>The graph has nothing of this name.</p>`,
  });
