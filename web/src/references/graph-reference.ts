import '@loyalty/platform/http/http-request';
import { html } from '@loyalty/platform/base/html';
import type { FastifyInstance } from 'fastify';
import { printSchema } from 'graphql';
import { errorIndexPage, errorPage } from './error-pages.ts';
import { addressOfType, graphPage, hasType, type ShownGraph } from './graph-page.ts';
import { ERRORS_PAGE, GRAPH_PAGE, referencePage, trail } from './reference-page.ts';
import { referenceHeaders, type ServedText, sendText, servedText } from './served-text.ts';

interface GraphReferenceOptions {
  /** Read for each page: the graph may be exchanged while the process runs. */
  readonly shown: () => ShownGraph;
}

const HTML = 'text/html; charset=utf-8';
const SDL = 'application/graphql; charset=utf-8';

/**
 * Serves `/docs/graphql`, one page of all types, with the SDL as a file, and `/docs/errors` with a page for
 * each reason. They are made from the graph, need no credential and load nothing from elsewhere. The files
 * that they load are those of `restReference`.
 */
export async function graphReference(app: FastifyInstance, { shown }: GraphReferenceOptions): Promise<void> {
  const written = new WeakMap<ShownGraph, Map<string, ServedText>>();
  /** What an address has for the current graph; written when it is first asked for. */
  const add = (path: string, type: string, write: (graph: ShownGraph, name: string) => string | null) =>
    app.get(path, async (request, reply) => {
      const { name = '' } = request.params as { readonly name?: string };
      const graph = shown();
      const texts = written.get(graph) ?? new Map<string, ServedText>();
      written.set(graph, texts);
      reply.headers(referenceHeaders);
      if (type === SDL) reply.header('content-disposition', 'attachment; filename="loyalty.graphql"');
      const known = texts.get(request.routeOptions.url + name);
      if (known) return sendText(request, reply, type, known);
      const text = write(graph, name);
      if (text === null) return reply.status(404).type(HTML).send(unknownPage());
      const made = servedText(text);
      texts.set(request.routeOptions.url + name, made);
      return sendText(request, reply, type, made);
    });
  add(GRAPH_PAGE.href, HTML, graphPage);
  add(ERRORS_PAGE.href, HTML, ({ schema }) => errorIndexPage(schema));
  add(`${ERRORS_PAGE.href}/:name`, HTML, ({ schema }, name) => errorPage(schema, name, app.publicUrl));
  app.get(`${GRAPH_PAGE.href}/:name`, async (request, reply) => {
    const { name } = request.params as { readonly name: string };
    reply.headers(referenceHeaders);
    if (hasType(shown().schema, name)) return reply.redirect(addressOfType(name), 301);
    return reply.status(404).type(HTML).send(unknownPage());
  });
  add(`${GRAPH_PAGE.href}/schema.graphql`, SDL, ({ schema }) => `${printSchema(schema)}\n`);
}

const unknownPage = (): string =>
  referencePage({
    title: 'There is no such page',
    body: html`${trail()}<p>The graph has nothing of this name.</p>`,
  });
