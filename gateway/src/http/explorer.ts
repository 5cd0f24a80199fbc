import { readFileSync } from 'node:fs';
import { ownOriginPolicy, pageHeaders } from '@loyalty/platform/http/page-headers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const ASSETS = '/graphql/explorer/';
/** The page names its files without a version, so they are loaded again after this time. */
const ASSETS_KEPT_SECONDS = 3_600;

const headers = {
  ...pageHeaders,
  'content-security-policy': ownOriginPolicy("worker-src 'self'"),
  'cross-origin-opener-policy': 'same-origin',
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

/** The packaged files; null in an install without development parts. */
const packaged = () =>
  // biome-ignore lint/correctness/noUndeclaredDependencies: the explorer is a development part
  import('ruru/static').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  });

/** The page of the explorer. It holds no data, so it needs no credential. */
export async function sendExplorer(reply: FastifyReply): Promise<FastifyReply> {
  reply.headers({ ...headers, 'cache-control': 'no-cache', vary: 'Accept' });
  if (await packaged()) return reply.type('text/html').send(page);
  return reply
    .status(404)
    .type('text/plain; charset=utf-8')
    .send('Send GraphQL operations to this address. The explorer is no part of a production install.\n');
}

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

async function packagedAsset({ headers: { 'accept-encoding': accepted } }: FastifyRequest, file: string) {
  const explorer = await packaged();
  return explorer?.getStaticFile({
    staticPath: ASSETS,
    urlPath: ASSETS + file,
    acceptEncoding: typeof accepted === 'string' ? accepted : undefined,
    disallowDevAssets: true,
  });
}
