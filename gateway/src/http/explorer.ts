import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getStaticFile } from 'ruru/static';

const ASSETS = '/graphql/explorer/';
/** The page names its files without a version, so they are loaded again after this time. */
const ASSETS_KEPT_SECONDS = 3_600;

/**
 * Nothing from anywhere else, neither scripts nor fonts nor calls; the editor sets styles as it goes. The
 * socket for subscriptions is of the same origin.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const read = (name: string): Buffer => readFileSync(new URL(`explorer/${name}`, import.meta.url));
const page = read('page.html');
const ours = new Map([
  ['start.js', { type: 'text/javascript; charset=utf-8', content: read('start.js') }],
  ['page.css', { type: 'text/css; charset=utf-8', content: read('page.css') }],
]);

/** Did a person open the address in a browser? Programs ask for JSON, or send an operation. */
export function wantsExplorer({ method, headers: { accept = '' }, query }: FastifyRequest): boolean {
  const asksFor = (query ?? {}) as Record<string, unknown>;
  if (method !== 'GET' || asksFor['query'] !== undefined || asksFor['extensions'] !== undefined) return false;
  return /\btext\/html\b/i.test(accept) && !/\bjson\b|\btext\/event-stream\b/i.test(accept);
}

/** The page of the explorer. It holds no data, so it needs no credential. */
export const sendExplorer = (reply: FastifyReply): FastifyReply =>
  reply
    .headers({ ...headers, 'cache-control': 'no-cache', vary: 'Accept' })
    .type('text/html')
    .send(page);

/** Serves all files that the page loads. */
export function addExplorerAssets(app: FastifyInstance): void {
  app.get(`${ASSETS}:file`, async (request, reply) => {
    const { file } = request.params as { file: string };
    const own = ours.get(file);
    const found = own ? ownAsset(own) : await packagedAsset(request, file);
    if (!found) return reply.status(404).send({ error: `The explorer has no ${file}.` });
    reply.headers({ ...headers, 'cache-control': `public, max-age=${ASSETS_KEPT_SECONDS}` });
    reply.headers({ ...found.headers, vary: 'Accept-Encoding' });
    return reply.send(found.content);
  });
}

const ownAsset = ({ type, content }: { type: string; content: Buffer }) => ({
  headers: { 'content-type': type },
  content,
});

const packagedAsset = async ({ headers: { 'accept-encoding': accepted } }: FastifyRequest, file: string) =>
  getStaticFile({
    staticPath: ASSETS,
    urlPath: ASSETS + file,
    acceptEncoding: typeof accepted === 'string' ? accepted : undefined,
    disallowDevAssets: true,
  });
