import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import files from '@fastify/static';
import { pageHeaders } from '@loyalty/platform/http/page-headers';
import type { SessionCookie } from '@loyalty/platform/identity/session-cookie';
import type { FastifyInstance, FastifyReply } from 'fastify';

const built = new URL('../dist/', import.meta.url);
const page = new URL('app.html', built);

/** Placeholder in the built page for the nonce of a response. */
const NONCE = 'CSP_NONCE';
/**
 * Placeholder in the built page: does the browser have a session? Without one the page sends no query that
 * would be refused.
 */
const SESSION = 'SESSION_STATE';

/** Allows only own resources. Mantine writes its colours into style elements with the nonce. */
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
 * Serves the back office under /app/: one page for every address, with a new nonce for each response, and
 * files with hashed names, which browsers cache for a year. `/` redirects to it.
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

interface ScreenFiles {
  readonly path: string;
  readonly files: readonly string[];
}

/**
 * Reads the files of each screen, which `src/build/vite-plugins.ts` wrote.
 *
 * @returns a function that returns the preload elements for a path; empty for a path without a screen
 */
function screenFiles(written: URL): (pathname: string) => string {
  const screens = JSON.parse(readFileSync(written, 'utf8')) as readonly ScreenFiles[];
  const known = screens.map(({ path, files: names }) => ({
    address: new RegExp(`^/app${path.replaceAll(/\$\w+/g, '[^/]+')}$`),
    links: names.map(linkTo).join(''),
  }));
  return (pathname) => known.find(({ address }) => address.test(pathname))?.links ?? '';
}

const linkTo = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/app/${file}">`
    : `<link rel="modulepreload" href="/app/${file}">`;
