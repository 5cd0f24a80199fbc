import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import files from '@fastify/static';
import { pageHeaders } from '@loyalty/platform/http/page-headers';
import type { SessionCookie } from '@loyalty/platform/identity/session-cookie';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { screenFiles } from './screen-files.ts';

const built = new URL('../../dist/', import.meta.url);
const page = new URL('app.html', built);

/** Vite writes it where the nonce of a response belongs. */
const NONCE = 'CSP_NONCE';
/** The page asks for nothing that would be refused: it is given whether its browser has a session. */
const SESSION = 'SESSION_STATE';

/** Everything comes from here; the kit writes its colours into elements that carry the nonce. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const guarded = {
  ...pageHeaders,
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

/**
 * The back office under /app/: one page for every address, with a nonce of its own, and files with hashed
 * names, which browsers keep for a year. `/` leads there.
 */
export async function backOffice(
  app: FastifyInstance,
  { userCookie }: { readonly userCookie: SessionCookie },
): Promise<void> {
  app.get('/', async (_, reply) => reply.redirect('/app/'));
  app.get('/app', async (_, reply) => reply.redirect('/app/'));
  if (!existsSync(page)) {
    app.get('/app/*', async (_, reply) => sendUnbuilt(reply));
    return;
  }
  const html = readFileSync(page, 'utf8');
  const linksOf = screenFiles(new URL('screens.json', built));
  await app.register(files, {
    root: fileURLToPath(new URL('assets/', built)),
    prefix: '/app/assets/',
    decorateReply: false,
    index: false,
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    setHeaders: (reply) => void reply.headers(guarded),
  });
  app.get('/app/*', async ({ headers, url }, reply) => {
    const isSignedIn = userCookie.isSent(headers);
    const session = isSignedIn ? 'open' : 'none';
    const links = isSignedIn ? linksOf(url.split('?')[0]!) : '';
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({ ...guarded, 'content-security-policy': policyOf(nonce), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(html.replaceAll(NONCE, nonce).replace(SESSION, session).replace('</head>', `${links}</head>`));
  });
}

const sendUnbuilt = (reply: FastifyReply): FastifyReply =>
  reply
    .status(404)
    .type('text/plain; charset=utf-8')
    .send('The back office is not built here. Run: npm run build -w @loyalty/back-office\n');
