import { readFileSync } from 'node:fs';
import { sendsUserCookie } from '@loyalty/platform/identity/session-cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { referenceHead, referenceLook } from '../references/reference-page.ts';
import {
  referenceHeaders,
  referencePolicy,
  type ServedText,
  sendText,
  servedText,
} from '../references/served-text.ts';

/** The page names its files without a version, so they are loaded again after this time. */
const ASSETS_KEPT_SECONDS = 3_600;

const headers = {
  ...referenceHeaders,
  // The editor sets styles of elements.
  'content-security-policy': referencePolicy({
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "'self'",
  }),
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

const readOwn = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const page = readOwn('page.html').replace('<!-- head -->', referenceHead('Explorer').markup);
/** What the page says where its browser has a session of the back office. */
const withSession = page.replace('data-session="none"', 'data-session="kept"');

/** Did a person open the address in a browser? Programs ask for JSON, or send an operation. */
export function wantsExplorer({ method, headers: { accept = '' }, query }: FastifyRequest): boolean {
  const asksFor = (query ?? {}) as Record<string, unknown>;
  if (method !== 'GET' || asksFor['query'] !== undefined || asksFor['extensions'] !== undefined) return false;
  return /\btext\/html\b/i.test(accept) && !/\bjson\b|\btext\/event-stream\b/i.test(accept);
}

/** The packaged editor; null in an install without development parts. */
const packaged = () =>
  // biome-ignore lint/correctness/noUndeclaredDependencies: the explorer is a development part
  import('@graphql-yoga/render-graphiql/graphiql').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  });

async function loadAssets(): Promise<ReadonlyMap<string, ServedText> | null> {
  const editor = await packaged();
  if (!editor) return null;
  const texts = {
    'look.css': referenceLook,
    'start.js': readOwn('start.js'),
    'page.css': readOwn('page.css'),
    'saved-queries.txt': readOwn('saved-queries.txt'),
    'graphiql.js': editor.js,
    'graphiql.css': editor.css,
    'editor.worker.js': editor.editorWorkerService,
    'json.worker.js': editor.jsonWorker,
    'graphql.worker.js': editor.graphqlWorker,
  };
  return new Map(Object.entries(texts).map(([name, text]) => [name, servedText(text)]));
}

let loaded: ReturnType<typeof loadAssets> | undefined;

/** The files of the explorer by name, loaded when it is first opened; null in an install without it. */
function explorerAssets(): ReturnType<typeof loadAssets> {
  loaded ??= loadAssets();
  return loaded;
}

/** The page of the explorer. It holds no data, so it needs no credential. */
export async function sendExplorer({ headers: sent }: FastifyRequest, reply: FastifyReply) {
  reply.headers({ ...headers, 'cache-control': 'no-cache', vary: 'Accept, Cookie' });
  if (await explorerAssets()) return reply.type('text/html').send(sendsUserCookie(sent) ? withSession : page);
  return reply
    .status(404)
    .type('text/plain; charset=utf-8')
    .send('Send GraphQL operations to this address. The explorer is no part of a production install.\n');
}

const types = { js: 'text/javascript', css: 'text/css', txt: 'text/plain' } as const;

/** Serves all files that the page loads. */
export function addExplorerAssets(app: FastifyInstance): void {
  app.get('/graphql/explorer/:file', async (request, reply) => {
    const { file } = request.params as { readonly file: string };
    const asset = (await explorerAssets())?.get(file);
    if (!asset) return reply.status(404).send({ error: `The explorer has no ${file}.` });
    reply.headers({ ...headers, 'cache-control': `public, max-age=${ASSETS_KEPT_SECONDS}` });
    const type = types[file.split('.').at(-1) as keyof typeof types];
    return sendText(request, reply, `${type}; charset=utf-8`, asset);
  });
}
