import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  referenceHeaders,
  referencePolicy,
  type ServedText,
  sendBuilt,
  sendText,
  servedText,
} from '../references/served-text.ts';

/** What the build wrote about the site. */
interface SiteIndex {
  /** The scripts within pages, as a content security policy names them. */
  readonly scripts: readonly string[];
  /** The pages in the order of the sidebar; the home page is the first, and its path is empty. */
  readonly pages: readonly ListedPage[];
}

/** A page as the sidebar lists it. */
export interface ListedPage {
  /** The address below `/docs/`. */
  readonly path: string;
  readonly title: string;
  /** The first sentence. */
  readonly summary: string;
  readonly group: string;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.sh': 'text/plain; charset=utf-8',
  '.graphql': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
const typeOf = (name: string): string => types[extname(name)] ?? 'application/octet-stream';

const folder = fileURLToPath(new URL('../../generated/site/', import.meta.url));

/** Reads what the build wrote. @throws Error if the site is not built */
export function siteIndex(): SiteIndex {
  try {
    return JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8'));
  } catch (error) {
    throw new Error('The documentation is not built. Run: npm run generate', { cause: error });
  }
}

/**
 * Serves the documentation at `/docs/`. Its files are built from the Markdown in `docs/`, load nothing from
 * elsewhere and need no credential. Each page is there as Markdown, too: `/docs/running.md`.
 */
export async function site(app: FastifyInstance): Promise<void> {
  const { scripts } = siteIndex();
  const files = filesOf(folder);
  // VitePress writes style attributes. Styles alone may be inline here, and the scripts of its pages by hash.
  const policy = referencePolicy({
    'script-src': ["'self'", ...scripts].join(' '),
    'style-src': "'self' 'unsafe-inline'",
  });
  const texts = new Map<string, ServedText>();
  const sendFile = (request: FastifyRequest, reply: FastifyReply, name: string) => {
    let text = texts.get(name);
    if (!text) {
      text = servedText(readFileSync(join(folder, name), 'utf8'));
      texts.set(name, text);
    }
    return sendText(request, reply, typeOf(name), text);
  };
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ ...referenceHeaders, 'content-security-policy': policy });
  });
  app.get('/docs', async (_, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/*', async (request, reply) => {
    const { '*': path } = request.params as { readonly '*': string };
    const answer = answerOf(path, files);
    if ('moved' in answer) return reply.redirect(`/docs/${answer.moved}`, 301);
    if (answer.isMissing) reply.status(404);
    const { name } = answer;
    if (!name.startsWith('assets/')) return sendFile(request, reply, name);
    return sendBuilt(request, reply, typeOf(name), join(folder, name), files.has(`${name}.br`));
  });
}

/** The names of all files that are served. Pages ask `hashmap.json` whether the site was built anew. */
function filesOf(path: string): ReadonlySet<string> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return new Set(names.filter((name) => name !== 'site.json'));
}

type Answer = { readonly name: string; readonly isMissing?: boolean } | { readonly moved: string };

/** The file at a path below `/docs/`, or the path where it is. Addresses of pages have no extension. */
function answerOf(path: string, files: ReadonlySet<string>): Answer {
  const isIndex = path === '' || path.endsWith('/');
  const page = isIndex ? `${path}index.html` : `${path}.html`;
  if (files.has(page) && !/(^|\/)(index|404)$/.test(path)) return { name: page };
  const bare = path.replace(/\/$/, '').replace(/\.html$/, '');
  const clean = bare.replace(/(^|\/)index$/, '$1');
  if (clean !== path && bare !== '404') {
    if (files.has(`${bare}.html`)) return { moved: clean };
  }
  if (files.has(`${path}/index.html`)) return { moved: `${path}/` };
  if (files.has(path) && !/\.(html|br)$/.test(path)) return { name: path };
  return { name: '404.html', isMissing: true };
}
