import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { access, rows, schema } from '../adapter.fixture.ts';
import { docs } from './docs.ts';

let app: FastifyInstance;
let origin: string;
beforeAll(async () => {
  app = fastify();
  // biome-ignore lint/nursery/noMisusedPromises: fastify awaits its plugins
  await app.register(docs, { rows, schema, access });
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
  expect(text).not.toMatch(/https?:\/\//);
  const parts = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, part]) => new URL(part!, `${origin}${path}`),
  );
  expect(parts.length).toBeGreaterThan(4);
  for (const part of parts) {
    const { response } = await page(part);
    expect([part.pathname, response.status]).toEqual([part.pathname, 200]);
  }
});

test('its styles ask nothing of other origins', async () => {
  const { text } = await page('/docs/static/swagger-ui.css');
  expect(text).not.toMatch(/@import|url\(\s*["']?(https?:)?\/\//);
});

test('its script offers the documents of this origin alone and sends them to no validator', async () => {
  const { text } = await page('/docs/static/swagger-initializer.js');
  const offered = [...text.matchAll(/"url":"([^"]+)"/g)].map(([, url]) => url!);
  expect(offered).toEqual(['/openapi/v2.json', '/openapi/v1.json']);
  for (const url of offered) expect((await page(url)).response.status).toBe(200);
  expect(text).toContain('"validatorUrl":null');
  expect(JSON.parse((await page('/docs/json')).text)).toEqual(
    JSON.parse((await page('/openapi/v2.json')).text),
  );
});

test.each(['/docs', '/docs/static/swagger-ui-bundle.js', '/docs/static/swagger-initializer.js'])(
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
