import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import fastify, { type FastifyInstance } from 'fastify';
import { restReference } from './rest-reference.ts';

const demo = { email: 'demo@example.com', password: 'not <secret>' };

const documentOf = (version: string) => ({
  openapi: '3.1.0',
  info: { title: 'An API', version, description: `How ${version} is called.` },
  servers: [{ url: 'https://api.example.com' }],
  paths: {},
});
const documents = { v1: documentOf('1.0.0'), v2: documentOf('2.0.0') };

async function serving(account: typeof demo | null, address: string): Promise<FastifyInstance> {
  const served = fastify();
  await served.register(namedPlugin(restReference), { documents, demo: account, address });
  return served;
}

let app: FastifyInstance;
beforeAll(async () => {
  app = await serving(demo, 'http://127.0.0.1:4000');
});
afterAll(() => app.close());

const open = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const assetsOf = (text: string) =>
  [...text.matchAll(/(?:src|href|data-\w+)="(\/docs\/[\w.-]+\.\w+)"/g)].map(([, address]) => address!);

test.each(['v1', 'v2'] as const)('the document of %s is served as it is, to everybody', async (api) => {
  const { statusCode, headers, body } = await open(`/openapi/${api}.json`);
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(JSON.parse(body)).toEqual(documents[api]);
});

test('an optional parameter with a list of values is not chosen for the reader', async () => {
  const app = fastify();
  const parameter = (required: boolean, schema: object) => ({ name: 'a', in: 'query', required, schema });
  const choice = { enum: ['pending', 'active'] };
  const parameters = [
    parameter(false, choice),
    parameter(true, choice),
    parameter(false, { type: 'string' }),
  ];
  const document = { ...documentOf('2.0.0'), paths: { '/a': { get: { parameters }, post: {} } } };
  const options = { documents: { ...documents, v2: document }, demo: null, address: '' };
  await app.register(namedPlugin(restReference), options);
  const { paths } = (await app.inject('/docs/v2.json')).json();
  const [optional, ...others] = paths['/a'].get.parameters;
  expect(optional).toEqual({ ...parameters[0], examples: { none: { value: '', 'x-disabled': true } } });
  expect(others).toEqual(parameters.slice(1));
  expect((await app.inject('/openapi/v2.json')).json()).toEqual(document);
  await app.close();
});

test('a client that has the document is not sent it again', async () => {
  const etag = String((await open('/openapi/v2.json')).headers.etag);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await open('/openapi/v2.json', { 'if-none-match': known });
    expect([known, again.statusCode, again.body]).toEqual([known, 304, '']);
  }
  expect((await open('/openapi/v2.json', { 'if-none-match': '"other"' })).statusCode).toBe(200);
});

test.each(['/docs/rest', '/docs/rest/', '/docs/rest/v1'])(
  'the page at %s has no script, style or address of others in it',
  async (path) => {
    const { statusCode, headers, body } = await open(path);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\/|<style|<script(?![^>]* src=)/);
    const assets = new Set(assetsOf(body));
    expect(assets.size).toBe(6);
    for (const asset of assets) expect([asset, (await open(asset)).statusCode]).toEqual([asset, 200]);
    for (const link of [
      ...['/docs/"', '/docs/rest"', '/docs/rest/v1"'],
      `/openapi/${path === '/docs/rest/v1' ? 'v1' : 'v2'}.json"`,
    ])
      expect(body).toContain(`href="${link}`);
  },
);

test.each(['/docs/rest', '/docs/rest/v1', '/docs/rest.js', '/docs/logo.svg'])(
  '%s may reach its own origin only, and runs no script that is written into it',
  async (path) => {
    const policy = String((await open(path)).headers['content-security-policy']);
    expect(policy).toMatch(
      /default-src 'none'; script-src 'self';.*connect-src 'self'.*frame-ancestors 'none'/,
    );
    expect(policy).not.toMatch(/https?:|unsafe-eval/);
    expect((await open(path)).headers['x-content-type-options']).toBe('nosniff');
  },
);

test('the script of the reference is kept by browsers, and is a quarter as large in brotli', async () => {
  const address = assetsOf((await open('/docs/rest')).body).find((asset) => asset.includes('scalar'))!;
  const [plain, packed] = [await open(address), await open(address, { 'accept-encoding': 'gzip, br' })];
  for (const { headers } of [plain, packed]) {
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toMatch(/max-age=31536000, immutable/);
    expect(headers['vary']).toBe('Accept-Encoding');
  }
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'br']);
  expect(packed.rawPayload.length * 4).toBeLessThan(plain.rawPayload.length);
  expect(plain.body).toContain('Permission is hereby granted');
});

test('what the page shows begins with the quick start, has the policy, and is called where it is', async () => {
  const shown = JSON.parse((await open('/docs/v2.json')).body);
  const { description } = shown.info;
  expect(description).toMatch(/^# Quick start.*How 2\.0\.0 is called\..*# Versions/s);
  expect(description).toContain("const api = 'http://127.0.0.1:4000';");
  expect(shown.servers).toEqual([{ url: '/' }]);
  expect(JSON.parse((await open('/docs/v1.json')).body).info.description).not.toContain('# Quick start');
});

test('services of one process say their own address and account', async () => {
  const [one, other] = ['https://one.example.com', 'https://other.example.com'];
  const services = [await serving(demo, one), await serving(null, other)] as const;
  const read = (path: string) =>
    Promise.all(services.map(async (service) => (await service.inject(path)).body));
  const [ofOne, ofOther] = await read('/docs/v2.json');
  expect([ofOne!.includes(one), ofOne!.includes(other)]).toEqual([true, false]);
  expect([ofOther!.includes(one), ofOther!.includes(other)]).toEqual([false, true]);
  expect(await read('/docs/demo-account.json')).toEqual([JSON.stringify(demo), 'null']);
  const [withAccount, without] = await read('/docs/rest');
  expect([withAccount!.includes('id="demo"'), without!.includes('id="demo"')]).toEqual([true, false]);
  await Promise.all(services.map((service) => service.close()));
});
