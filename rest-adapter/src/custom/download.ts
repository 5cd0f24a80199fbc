import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { appErrorOf } from '../errors.ts';
import type { GraphClient, GraphReply } from '../graph-client.ts';
import { type Received, readVariables } from '../input.ts';
import type { Row } from '../table/row.ts';
import type { RowOperation } from '../table/row-operation.ts';

interface DownloadRow {
  readonly row: Row;
  readonly operation: RowOperation;
  readonly graph: GraphClient;
  readonly refuse: (request: FastifyRequest) => Promise<void>;
}

/** A part of the file. `after` says where the next part begins; null in the last part. */
interface Part {
  readonly content: string;
  readonly after: string | null;
}

/**
 * Serves a row whose reply is a file. The file is read from the graph in parts, and a part is read only when
 * the client is ready for it. Memory therefore holds only a part of a large file.
 */
export function addDownload(app: FastifyInstance, download: DownloadRow): void {
  const { row, refuse } = download;
  app.route({
    method: row.method,
    url: row.path,
    onRequest: refuse,
    handler: (request, reply) => send(download, request, reply),
  });
}

async function send(
  { row, operation, graph }: DownloadRow,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const received = { params: request.params, query: request.query, body: undefined } as Received;
  const variables = readVariables(row, operation, received);
  const read = async (after: unknown): Promise<GraphReply & { readonly part: Part }> => {
    const given = { ...variables, after };
    const question = { query: row.document, operationName: operation.name, variables: given };
    const answer = await graph.execute(question, request);
    if (answer.errors?.[0]) throw appErrorOf(answer.errors[0], operation);
    return { ...answer, part: answer.data!['reply'] as Part };
  };
  // The first part is read before the answer begins, so that a refusal still has its own status.
  const first = await read(variables['after'] ?? null);
  if (first.headers) reply.headers(first.headers);
  reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${row.download}"`,
  });
  return reply.send(Readable.from(partsOf(first.part, async (after) => (await read(after)).part)));
}

/**
 * If a later part cannot be read, the connection breaks, so that the client sees that the file is not
 * complete.
 */
async function* partsOf(first: Part, next: (after: string) => Promise<Part>): AsyncGenerator<string> {
  for (let part = first; ; part = await next(part.after)) {
    if (part.content) yield part.content;
    if (part.after === null) return;
  }
}
