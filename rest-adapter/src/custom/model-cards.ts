import { invalid, notFound } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { pageHeaders } from '@loyalty/platform/http/page-headers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { ModelCardDataDocument, ModelCardDiagramDocument, ModelCardPageDocument } from '#generated/graphql';
import { appErrorOf } from '../errors.ts';
import type { GraphClient } from '../graph-client.ts';
import { readOperation } from '../table/row-operation.ts';

/** Path of the model card of a model version. */
export const modelCardsEndpoint = { method: 'GET', path: '/api/model-cards/:id' } as const;

/** The page loads no files and runs no scripts. Its styles are inline. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

type Card = Readonly<Record<string, unknown>>;

/** A format of a model card: the operation that reads it, its media type and its body. */
interface CardFormat {
  readonly document: string;
  readonly type: string;
  readonly bodyOf: (card: Card) => unknown;
}

const formats: Readonly<Record<string, CardFormat>> = {
  html: {
    document: ModelCardPageDocument.toString(),
    type: 'text/html; charset=utf-8',
    bodyOf: ({ page }) => page,
  },
  json: {
    document: ModelCardDataDocument.toString(),
    type: 'application/json; charset=utf-8',
    bodyOf: (card) => card,
  },
  svg: {
    document: ModelCardDiagramDocument.toString(),
    type: 'image/svg+xml; charset=utf-8',
    bodyOf: ({ reliabilityDiagram }) => reliabilityDiagram,
  },
};

/** Serves model cards as a page, as JSON and as a diagram. Credentials work as on every other path. */
export function addModelCards(app: FastifyInstance, schema: GraphQLSchema, graph: GraphClient): void {
  const operations = new Map(
    Object.values(formats).map(({ document }) => [document, readOperation(document, schema)]),
  );
  app.get<{ Params: { id: string }; Querystring: { format?: string } }>(
    modelCardsEndpoint.path,
    async (request, reply) => {
      const { id } = request.params;
      const { document, type, bodyOf } = formatOf(request, request.query.format);
      const operation = operations.get(document)!;
      if (!isUuid(id)) throw notFound('model card', id);
      const question = { query: document, operationName: operation.name, variables: { id } };
      const { data, errors } = await graph.execute(question, request);
      if (errors?.[0]) throw appErrorOf(errors[0], operation);
      const version = data?.['version'] as { readonly card: Card | null } | null;
      if (!version?.card) throw notFound('model card', id);
      return send(reply, type, bodyOf(version.card));
    },
  );
}

/**
 * Returns the format that the query names. Otherwise returns JSON if `Accept` names JSON and not HTML; the
 * default is the page.
 */
function formatOf({ headers }: FastifyRequest, named: string | undefined): CardFormat {
  if (named !== undefined) {
    const format = Object.hasOwn(formats, named) ? formats[named] : undefined;
    if (!format) throw invalid('format', `must be ${Object.keys(formats).join(', ')}`);
    return format;
  }
  const accept = headers.accept ?? '';
  return accept.includes('application/json') && !accept.includes('text/html')
    ? formats['json']!
    : formats['html']!;
}

const send = (reply: FastifyReply, type: string, body: unknown): FastifyReply =>
  reply
    .type(type)
    .headers({ ...pageHeaders, 'content-security-policy': POLICY })
    .send(body);
