import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { access, rows, schema } from '../adapter.fixture.ts';
import { type DocsOptions, docs } from './docs.ts';

const demo = { email: 'demo@example.com', password: 'not <secret>' };
let app: FastifyInstance;

async function serving(
  account: typeof demo | null,
  options: Partial<DocsOptions> = {},
): Promise<FastifyInstance> {
  const served = fastify();
  const address = 'http://127.0.0.1:4000';
  // biome-ignore lint/nursery/noMisusedPromises: fastify awaits its plugins
  await served.register(docs, { rows, schema, access, demo: account, address, ...options });
  return served;
}

let origin: string;
beforeAll(async () => {
  app = await serving(demo);
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

/** Reads the whole answer: a body that nobody reads would keep its connection, and so the server, open. */
const page = async (path: string | URL, headers: Record<string, string> = {}) => {
  const response = await fetch(new URL(path, origin), { headers });
  return { response, text: await response.text() };
};

test('the document is served as JSON to everybody', async () => {
  const { response, text } = await page('/openapi/v2.json');
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', info: { version: '2.0.0' } });
});

test('each API has its document', async () => {
  const v1 = JSON.parse((await page('/openapi/v1.json')).text);
  expect(v1).toMatchObject({ info: { version: '1.0.0' } });
  expect(Object.keys(v1.paths)).toEqual(['/api/v1/tiers']);
  expect(JSON.parse((await page('/openapi/v2.json')).text).paths).not.toHaveProperty('/api/v1/tiers');
});

test('a client that has the document is not sent it again', async () => {
  const etag = (await page('/openapi/v2.json')).response.headers.get('etag')!;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await page('/openapi/v2.json', { 'if-none-match': known });
    expect([known, again.response.status, again.text]).toEqual([known, 304, '']);
  }
  expect((await page('/openapi/v2.json', { 'if-none-match': '"other"' })).response.status).toBe(200);
});

test.each(['/docs', '/docs/'])('the reference at %s loads its parts from its own origin', async (path) => {
  const { response, text } = await page(path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//);
  const parts = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, part]) => new URL(part!, `${origin}${path}`),
  );
  const loaded = new Set(
    parts
      .map((part) => part.pathname)
      .filter((part) => !['/graphql', '/docs/graphql', '/app/'].includes(part)),
  );
  expect(loaded.size).toBeGreaterThan(4);
  for (const path of loaded) expect([path, (await page(path)).response.status]).toEqual([path, 200]);
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const anchors = parts.filter(({ hash }) => hash !== '').map(({ hash }) => hash.slice(1));
  expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([]);
});

test.each(['look.css', 'reference.css', 'reference.js'])(
  'its %s asks nothing of other origins',
  async (file) => {
    const { text } = await page(`/docs/${file}`);
    expect(text.length).toBeGreaterThan(100);
    expect(text).not.toMatch(/@import|https?:\/\//);
  },
);

test.each(['v1', 'v2'] as const)('every operation of %s has both samples, and can be sent', async (api) => {
  const { paths } = JSON.parse((await page(`/openapi/${api}.json`)).text);
  const ids = Object.values<object>(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId as string),
  );
  const { text } = await page(api === 'v2' ? '/docs' : '/docs/v1');
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) {
    const [, entry = ''] = text.split(`<details class="operation" id="${id}"`);
    const [own = ''] = entry.split('<details class="operation"');
    expect(own).toContain(`aria-label="${id} in curl"`);
    expect(own).toContain(`aria-label="${id} in TypeScript"`);
    expect(own).toContain('<form class="try"');
  }
});

test('the quick start comes first; the demo account is offered, its text escaped', async () => {
  const { text } = await page('/docs');
  expect(text.indexOf('id="quick-start"')).toBeLessThan(text.indexOf('class="operation"'));
  expect(text).toContain('data-password="not &#60;secret&#62;"');
});

test('without a demo account none is offered', async () => {
  const without = await serving(null);
  const { body } = await without.inject('/docs');
  expect(body).toContain('id="key"');
  expect(body).not.toMatch(/id="demo"|password=/);
  await without.close();
});

test.each(['/docs', '/docs/v1', '/docs/reference.js', '/docs/logo.svg'])(
  '%s may reach its own origin only',
  async (path) => {
    const { headers } = (await page(path)).response;
    const policy = headers.get('content-security-policy')!;
    expect(policy).toMatch(
      /default-src 'none'.*script-src 'self';.*connect-src 'self'.*frame-ancestors 'none'/,
    );
    expect(policy).not.toMatch(/https?:|upgrade-insecure-requests|unsafe-eval/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test('requests that it sends go to the origin that serves it', async () => {
  expect(JSON.parse((await page('/openapi/v2.json')).text).servers[0].url).toBe('/');
});

test('services of one process say their own address and account, in each of their documents', async () => {
  const [one, other] = ['https://one.example.com', 'https://other.example.com'];
  const services = [
    await serving(demo, { url: one, address: one }),
    await serving(null, { url: other, address: other }),
  ] as const;
  const read = async (path: string) =>
    Promise.all(services.map(async (service) => (await service.inject(path)).body));
  for (const path of ['/openapi/v2.json', '/openapi/v1.json', '/openapi/v2.postman.json', '/docs']) {
    const [ofOne, ofOther] = await read(path);
    expect([path, ofOne!.includes(one), ofOne!.includes(other)]).toEqual([path, true, false]);
    expect([path, ofOther!.includes(one), ofOther!.includes(other)]).toEqual([path, false, true]);
  }
  expect(await read('/docs/demo-account.json')).toEqual([JSON.stringify(demo), 'null']);
  const [withAccount, without] = await read('/docs');
  expect([withAccount!.includes(demo.email), without!.includes(demo.email)]).toEqual([true, false]);
  await Promise.all(services.map((service) => service.close()));
});
