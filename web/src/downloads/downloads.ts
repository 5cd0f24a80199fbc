import { Readable } from 'node:stream';
import { systemCaller } from '@loyalty/platform/base/caller';
import { httpStatus, internalError } from '@loyalty/platform/base/errors';
import type { Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { exportLinks, fileNameOf, readFile } from '@loyalty/platform/exports/exports.service';
import { findExport } from '@loyalty/platform/exports/exports.store';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import { answerErrors } from '@loyalty/platform/http/unreadable-requests';
import { type LinkKind, readSignedLink, type SignedLink } from '@loyalty/platform/identity/signed-links';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noticePage } from '../pages/page.ts';
import { guardedHeaders, sendPage } from '../pages/page-replies.ts';
import type { WebGraph } from '../web-graph.ts';

const TYPES = {
  CSV: 'text/csv; charset=utf-8; header=present',
  JSON_LINES: 'application/x-ndjson; charset=utf-8',
} as const;

/** Images that a browser may show, by how their base64 begins. */
const IMAGE_TYPES = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
] as const;

const IMAGE = 'query ReceiptImageOfLink($id: ID!) { receiptImage(id: $id) }';

/** Nobody keeps a file, and it runs nothing and is no part of another page. */
const fileHeaders = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
} as const;

interface DownloadParts {
  readonly graph: WebGraph;
  readonly services: Services;
  /** The links to pictures of receipts. */
  readonly imageLinks: LinkKind;
}

/**
 * The files of exports and the pictures of receipts, for whoever has a link that is not too old: a browser
 * need send no credential with it.
 */
export async function downloads(
  app: FastifyInstance,
  { graph, services, imageLinks }: DownloadParts,
): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...guardedHeaders, 'cache-control': 'no-store' });
    if (request.refused?.category === 'RATE_LIMITED') throw request.refused;
  });
  answerErrors(app, (request, reply, { category }) =>
    sendNotice(request, reply, httpStatus[category], 'later'),
  );

  /** Answers links of one kind with their files. */
  const serve = (kind: LinkKind, find: (link: SignedLink, request: FastifyRequest) => Promise<File | null>) =>
    app.get(`/${kind.path}/:token`, async (request, reply) => {
      const { token } = request.params as { token: string };
      const link = await readSignedLink(services.keyring, kind, token, services.clock.now());
      const file = link && (await find(link, request));
      if (!file) return sendNotice(request, reply, 404, 'oldDownload');
      const { type, disposition, bytes, content } = file;
      return reply
        .type(type)
        .headers({ ...fileHeaders, 'content-disposition': disposition, 'content-length': String(bytes) })
        .send(content);
    });

  // Each part is read and opened when the client has taken the one before, so one is in memory whatever the
  // length.
  serve(exportLinks, async (link, { id: requestId }) => {
    const ctx = createContext(services, { caller: systemCaller('download', link), requestId });
    const found = await findExport(ctx, link.id);
    if (found?.status !== 'COMPLETED') return null;
    return {
      type: TYPES[found.format],
      disposition: `attachment; filename="${fileNameOf(found)}"`,
      bytes: found.bytes,
      content: Readable.from(readFile(ctx, found)),
    };
  });

  serve(imageLinks, async (link, { id: requestId, address }) => {
    const asked = { caller: systemCaller('receipt-image', link), requestId, address };
    const { data, errors } = await graph.execute({ query: IMAGE, variables: { id: link.id } }, asked);
    if (errors?.[0]) throw toAppError(errors[0]) ?? internalError();
    const image = data?.['receiptImage'];
    return typeof image === 'string' ? imageFile(image) : null;
  });
}

/** What a link leads to. */
interface File {
  readonly type: string;
  readonly disposition: string;
  readonly bytes: number | bigint;
  readonly content: Buffer | Readable;
}

/** An image to be shown; what is none, to be saved. */
function imageFile(base64: string): File {
  const type = IMAGE_TYPES.find(([start]) => base64.startsWith(start))?.[1];
  const content = Buffer.from(base64, 'base64');
  return {
    type: type ?? 'application/octet-stream',
    disposition: type ? 'inline' : 'attachment',
    bytes: content.length,
    content,
  };
}

const sendNotice = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  name: 'oldDownload' | 'later',
): FastifyReply => sendPage(request, reply.status(status), (texts) => noticePage(texts[name], texts));
