import { ownOriginPolicy, pageHeaders } from '@loyalty/platform/http/page-headers';
import { referenceHead } from '@loyalty/platform/http/reference-look/reference-head';
import { sendsUserCookie } from '@loyalty/platform/identity/session-cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { explorerAssets, readOwn } from './explorer-assets.ts';

const ASSETS = '/graphql/explorer/';
/** The page names its files without a version, so they are loaded again after this time. */
const ASSETS_KEPT_SECONDS = 3_600;

const headers = {
  ...pageHeaders,
  'content-security-policy': ownOriginPolicy("worker-src 'self'"),
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

const page = readOwn('page.html').toString().replace('<!-- head -->', referenceHead('Explorer'));

/** Did a person open the address in a browser? Programs ask for JSON, or send an operation. */
export function wantsExplorer({ method, headers: { accept = '' }, query }: FastifyRequest): boolean {
  const asksFor = (query ?? {}) as Record<string, unknown>;
  if (method !== 'GET' || asksFor['query'] !== undefined || asksFor['extensions'] !== undefined) return false;
  return /\btext\/html\b/i.test(accept) && !/\bjson\b|\btext\/event-stream\b/i.test(accept);
}

/** What the page says where its browser has a session of the back office. */
const withSession = page.replace('data-session="none"', 'data-session="kept"');

/** The page of the explorer. It holds no data, so it needs no credential. */
export async function sendExplorer({ headers: sent }: FastifyRequest, reply: FastifyReply) {
  reply.headers({ ...headers, 'cache-control': 'no-cache', vary: 'Accept, Cookie' });
  if (await explorerAssets()) return reply.type('text/html').send(sendsUserCookie(sent) ? withSession : page);
  return reply
    .status(404)
    .type('text/plain; charset=utf-8')
    .send('Send GraphQL operations to this address. The explorer is no part of a production install.\n');
}

/** Serves all files that the page loads. */
export function addExplorerAssets(app: FastifyInstance): void {
  app.get(`${ASSETS}:file`, async ({ params, headers: { 'accept-encoding': accepted } }, reply) => {
    const { file } = params as { file: string };
    const asset = (await explorerAssets())?.get(file);
    if (!asset) return reply.status(404).send({ error: `The explorer has no ${file}.` });
    reply.headers({ ...headers, 'cache-control': `public, max-age=${ASSETS_KEPT_SECONDS}` });
    reply.type(asset.type).header('vary', 'Accept-Encoding');
    if (!/\bbr\b/.test(String(accepted))) return reply.send(asset.plain);
    return reply.header('content-encoding', 'br').send(await asset.packed());
  });
}
