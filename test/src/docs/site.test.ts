import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { siteIndex } from '@loyalty/web/site/site';
import { useStack } from '../harness/stack.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const stack = useStack();
const { pages } = siteIndex();

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${stack.url}${path}`, { headers, redirect: 'manual' });

interface Loaded {
  readonly status: number;
  readonly text: string;
}
const loaded = new Map<string, Promise<Loaded>>();
/** An address as a reader's browser gets it, once. */
const load = (path: string): Promise<Loaded> => {
  const known =
    loaded.get(path) ??
    get(path, { accept: 'text/html' }).then(async (answer) => ({
      status: answer.status,
      text: await answer.text(),
    }));
  loaded.set(path, known);
  return known;
};

let home: Loaded;
beforeAll(async () => {
  home = await load('/docs/');
});

test('every Markdown file of docs is a page, and the sidebar of each page leads to all of them', async () => {
  const files = globSync('docs/**/*.md', { cwd: root });
  const outside = ['operators-guide', 'typescript-client', 'standard-model', 'changelog'];
  const paths = [
    ...files.map((file) =>
      file
        .slice('docs/'.length)
        .replace(/(^|\/)README\.md$/, '$1')
        .replace(/\.md$/, ''),
    ),
    ...outside,
  ];
  expect(pages.map(({ path }) => path).sort()).toEqual(paths.sort());
  const [sidebar = ''] = /<nav[^>]* id="VPSidebarNav"[\s\S]*?<\/nav>/.exec(home.text) ?? [];
  const linked = [...sidebar.matchAll(/ href="\/docs\/([^"]*)"/g)].map(([, path]) => path);
  expect(linked).toEqual(pages.map(({ path }) => path).filter((path) => path !== ''));
});

test('each page has a title and one sentence that says what it is for', () => {
  const without = pages.filter(({ title, summary, path }) => !title || (!summary && path !== ''));
  expect(without.map(({ path }) => path)).toEqual([]);
});

test('every link of every page leads to a page and to a place that is there', async () => {
  const idsOf = async (path: string): Promise<ReadonlySet<string>> =>
    new Set([...(await load(path)).text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));
  /** The addresses of operations that Scalar makes from the document. */
  const operations = async (path: string): Promise<ReadonlySet<string>> => {
    const { text } = await load(path === '/docs/rest' ? '/docs/v2.json' : '/docs/v1.json');
    const { paths } = JSON.parse(text) as {
      paths: Record<string, Record<string, { tags: string[]; operationId: string }>>;
    };
    const all = Object.values(paths).flatMap((each) => Object.values(each));
    return new Set(all.flatMap(({ tags, operationId }) => [operationId, `tag/${tags[0]}/${operationId}`]));
  };
  const broken: string[] = [];
  let count = 0;
  for (const page of pages) {
    const { status, text } = await load(`/docs/${page.path}`);
    expect([page.path, status]).toEqual([page.path, 200]);
    expect(text).not.toMatch(/<a [^>]*href="\/\//);
    for (const [, href = ''] of text.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      const { origin, pathname, hash } = new URL(
        href.replaceAll('&amp;', '&'),
        `${stack.url}/docs/${page.path}`,
      );
      if (origin !== stack.url) continue;
      count += 1;
      const target = await load(pathname);
      const anchor = decodeURIComponent(hash.slice(1));
      const isReference = pathname === '/docs/rest' || pathname === '/docs/rest/v1';
      const places = isReference ? await operations(pathname) : await idsOf(pathname);
      const isThere = anchor === '' || places.has(anchor) || (isReference && anchor === 'versions');
      if (target.status !== 200 || !isThere) broken.push(`${page.path}: ${href}`);
    }
  }
  expect(count).toBeGreaterThan(500);
  expect(broken).toEqual([]);
});

test('a page is not sent again to who has it, and is sent packed', async () => {
  const first = await get('/docs/running', { 'accept-encoding': 'br' });
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect([first.headers.get('content-encoding'), first.headers.get('vary')]).toEqual([
    'br',
    'Accept-Encoding',
  ]);
  const again = await get('/docs/running', { 'if-none-match': String(first.headers.get('etag')) });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('what pages load comes from this origin, is kept for a year and is sent packed', async () => {
  const assets = [...home.text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(assets.length).toBeGreaterThan(4);
  expect(home.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/[^"]*\.(?:js|css|woff2)/);
  for (const path of new Set(assets)) {
    const { status, headers } = await get(path, { 'accept-encoding': 'gzip, br' });
    expect([path, status, headers.get('content-encoding')]).toEqual([path, 200, 'br']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
});

test('pages run their own scripts only: those of the origin, and those whose hash the policy names', async () => {
  for (const { path } of pages) {
    const { headers } = await get(`/docs/${path}`);
    const policy = String(headers.get('content-security-policy'));
    const [, allowed = ''] = /script-src ([^;]+)/.exec(policy) ?? [];
    expect(allowed).not.toMatch(/unsafe|https?:|\*/);
    const { text } = await load(`/docs/${path}`);
    for (const [, script = ''] of text.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g))
      expect(allowed).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  }
});

test.each([
  ['/docs', '/docs/'],
  ['/docs/v1', '/docs/rest/v1'],
  ['/docs/running.html', '/docs/running'],
  ['/docs/running/', '/docs/running'],
  ['/docs/index.html', '/docs/'],
  ['/docs/index', '/docs/'],
  ['/docs/operations', '/docs/operations/'],
  ['/docs/operations/index.html', '/docs/operations/'],
])('%s has moved to %s', async (path, target) => {
  const { status, headers } = await get(path);
  expect([status, headers.get('location')]).toEqual([301, target]);
});

test.each([
  '/docs/nothing',
  '/docs/start/nothing',
  '/docs/404.html',
  '/docs/site.json',
  '/docs/assets/nothing.js',
  '/docs/..%2f..%2fpackage.json',
  '/docs/assets/..%2f..%2fsite.json',
])('%s is 404, as a page of the site', async (path) => {
  const { status, headers } = await get(path);
  expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

test('the index of the search is there, and has paths, events, reasons and settings', async () => {
  const names = globSync('web/generated/site/assets/chunks/*localSearchIndex*.js', { cwd: root });
  expect(names).toHaveLength(1);
  const index = readFileSync(join(root, names[0]!), 'utf8');
  for (const word of ['MEMBER_EXISTS', '/api/v2/members/{memberId}/points', 'How long things are kept'])
    expect(index).toContain(word);
});

test('the overview for language models lists every page as Markdown', async () => {
  const { text } = await load('/llms.txt');
  const files = [...text.matchAll(/\]\([^)]*(\/docs\/[^)]+\.md)\)/g)].map(([, path]) => path!);
  expect(files).toHaveLength(pages.length - 1);
  for (const file of files) {
    const { status, headers } = await get(file);
    expect([file, status, headers.get('content-type')]).toEqual([file, 200, 'text/markdown; charset=utf-8']);
  }
});
