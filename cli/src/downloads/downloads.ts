import { Readable } from 'node:stream';
import { systemCaller } from '@loyalty/platform/caller/caller';
import { createContext } from '@loyalty/platform/caller/create-context';
import type { Services } from '@loyalty/platform/context';
import { httpStatus } from '@loyalty/platform/errors';
import { readExportLink } from '@loyalty/platform/exports/export-links';
import { fileNameOf, readFile } from '@loyalty/platform/exports/exports.service';
import { findExport } from '@loyalty/platform/exports/exports.store';
import { answerErrors } from '@loyalty/platform/http/unreadable-requests';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noticePage } from '../pages/page.ts';
import { guardedHeaders, sendPage } from '../pages/page-replies.ts';

const TYPES = {
  CSV: 'text/csv; charset=utf-8; header=present',
  JSON_LINES: 'application/x-ndjson; charset=utf-8',
} as const;

/**
 * The files of exports, for whoever has a link that is not too old: a browser sends no credential with it.
 * Each part is read and opened when the client has taken the one before, so one is in memory whatever the
 * length.
 */
export async function downloads(app: FastifyInstance, { services }: { services: Services }): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...guardedHeaders, 'cache-control': 'no-store' });
    if (request.refused?.category === 'RATE_LIMITED') throw request.refused;
  });
  answerErrors(app, (request, reply, { category }) =>
    sendNotice(request, reply, httpStatus[category], 'later'),
  );

  app.get('/downloads/:token', async (request, reply) => {
    const { token } = request.params as { token: string };
    const link = await readExportLink(services.keyring, token, services.clock.now());
    if (!link) return sendNotice(request, reply, 404, 'oldDownload');
    const caller = systemCaller('download', link);
    const ctx = createContext(services, { caller, requestId: request.id });
    const found = await findExport(ctx, link.exportId);
    if (found?.status !== 'COMPLETED') return sendNotice(request, reply, 404, 'oldDownload');
    return reply
      .type(TYPES[found.format])
      .headers({
        'content-disposition': `attachment; filename="${fileNameOf(found)}"`,
        'content-length': String(found.bytes),
      })
      .send(Readable.from(readFile(ctx, found)));
  });
}

const sendNotice = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  name: 'oldDownload' | 'later',
): FastifyReply => sendPage(request, reply.status(status), (texts) => noticePage(texts[name], texts));
