import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { automaticPersisted } from '../operations/persisted.ts';
import { keptInMemory } from '../operations/persisted-texts.ts';
import { startRoute } from './graphql-route.fixture.ts';

let route: Awaited<ReturnType<typeof startRoute>>;
beforeAll(async () => {
  route = await startRoute(automaticPersisted(keptInMemory()));
});
afterAll(() => route.close());

/** As browsers send it when an address is opened. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
const open = (path = '', accept = BROWSER) => fetch(`${route.url}${path}`, { headers: { accept } });

test('who opens the address in a browser gets the explorer', async () => {
  const response = await open();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(await response.text()).toContain('<div id="explorer">');
});

test.each([
  ['loyalty-user=abc', 'kept'],
  ['theme=dark; __Host-loyalty-user=abc', 'kept'],
  ['loyalty-member=abc', 'none'],
  ['not-loyalty-user=abc', 'none'],
])('with the cookie %s its session is said to be %s', async (cookie, session) => {
  const response = await fetch(route.url, { headers: { accept: BROWSER, cookie } });
  expect(response.headers.get('vary')).toContain('Cookie');
  expect(await response.text()).toContain(`<body data-session="${session}">`);
});

test.each([
  ['a program that asks for JSON', '', 'application/json'],
  ['a program that takes anything', '', '*/*'],
  ['a browser that is sent to a query', '?query={greeting}', BROWSER],
  ['a program that would also take a page', '', 'application/graphql-response+json, text/html'],
])('%s does not get it', async (_, path, accept) => {
  const response = await open(path, accept);
  expect(response.headers.get('content-type')).toContain('json');
});

test('the page and everything that it loads come from here, and nothing else may be loaded', async () => {
  const page = await open();
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
  const html = await page.text();
  const loaded = [...html.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]+)"/g)]
    .map(([, address]) => address!)
    .filter((address) => address !== 'data:,');
  const start = await (await fetch(new URL('/graphql/explorer/start.js', route.url))).text();
  const imported = [...start.matchAll(/'(\/graphql\/explorer\/[^']+)'/g)].map(([, address]) => address!);
  const workers = [...start.matchAll(/'(\w+\.worker\.js)'/g)].map(([, file]) => `/graphql/explorer/${file}`);
  expect([loaded.length, imported.length, workers.length]).toEqual([4, 2, 3]);
  for (const address of [...loaded, ...imported, ...workers]) {
    expect(address).toMatch(/^\/graphql\/explorer\/[\w.-]+$/);
    const { status, headers } = await fetch(new URL(address, route.url));
    expect([address, status]).toEqual([address, 200]);
    expect(headers.get('content-type')).toMatch(/^text\/(javascript|css|plain)/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  expect(`${html}${start}`).not.toMatch(/https?:\/\//);
});

test('files of the explorer are sent small where the client can unpack them', async () => {
  const ask = (encoding: string) =>
    fetch(new URL('/graphql/explorer/graphiql.css', route.url), { headers: { 'accept-encoding': encoding } });
  const [packed, plain] = await Promise.all([ask('br'), ask('identity')]);
  expect([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([
    'br',
    null,
  ]);
  expect(packed.headers.get('vary')).toBe('Accept-Encoding');
  expect(await packed.text()).toBe(await plain.text());
});

test.each(['nothing.js', 'graphiql.js.map', '..%2f..%2fpackage.json', '__proto__', 'constructor'])(
  'the explorer has no %s',
  async (file) => {
    expect((await fetch(new URL(`/graphql/explorer/${file}`, route.url))).status).toBe(404);
  },
);
