import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fastify from 'fastify';
import { getNamedType, isObjectType } from 'graphql';
import { committedSupergraph } from '../../supergraph/supergraph.ts';
import '@loyalty/platform/http/http-request';
import { reference } from './reference.ts';

const shown = committedSupergraph();
const app = fastify();
app.decorate('publicUrl', 'https://loyalty.example.com');
beforeAll(async () => {
  await reference(app, { shown: () => shown });
  await app.ready();
});
afterAll(() => app.close());

const open = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers });
const linksIn = (page: string) => [...page.matchAll(/ href="([^"]+)"/g)].map(([, link]) => link!);

test('the index has every operation and every type, and its links lead somewhere', async () => {
  const { body } = await open('/docs/graphql');
  const names = Object.values(shown.schema.getTypeMap())
    .filter(({ name }) => !/^__|^(Query|Mutation|Subscription|ID|Int|Float|String|Boolean)$/.test(name))
    .map(({ name }) => `/docs/graphql/${name}`);
  const links = linksIn(body);
  expect(links).toEqual(expect.arrayContaining(names));
  expect(links).toContain('/docs/graphql/Mutation#awardPoints');
  for (const root of ['Query', 'Mutation', 'Subscription']) {
    const { body: page } = await open(`/docs/graphql/${root}`);
    const fields = links.filter((link) => link.startsWith(`/docs/graphql/${root}#`));
    expect(fields.length).toBeGreaterThan(10);
    for (const field of fields) expect(page).toContain(` id="${field.split('#')[1]}"`);
  }
});

test('a page of a type links each type that it names to its page, and says who may read', async () => {
  const { body } = await open('/docs/graphql/Member');
  const type = shown.schema.getType('Member');
  const types = isObjectType(type)
    ? Object.values(type.getFields()).map((field) => getNamedType(field.type).name)
    : [];
  expect(types.length).toBeGreaterThan(30);
  const links = linksIn(body).filter((link) => link.startsWith('/docs/graphql/'));
  expect(links).toEqual(expect.arrayContaining(['/docs/graphql/Tier', '/docs/graphql/Query#member']));
  for (const link of new Set(links.map((one) => one.split('#')[0]!)))
    expect([link, (await open(link)).statusCode]).toEqual([link, 200]);
  expect(body).toContain('<dt id="pointsBalance">');
  expect(body).toContain('Scopes: members:read, or members:write.');
});

test.each([
  ['an enum', 'JobState', '<dt id="COMPLETED_WITH_ERRORS">'],
  ['an input', 'AwardPointsInput', 'Default of the cap: 100,000.'],
  ['a scalar', 'DateTime', 'https://datatracker.ietf.org/doc/html/rfc3339'],
  ['an interface', 'Job', '/docs/graphql/BulkAward'],
  ['an input with a default', 'UploadTrainingInput', '= <code>false</code>'],
])('%s has a page', async (_, name, part) => {
  const { statusCode, body } = await open(`/docs/graphql/${name}`);
  expect([statusCode, body.includes(part)]).toEqual([200, true]);
});

test('a reason has a page with its words, its status and its look', async () => {
  const { statusCode, body } = await open('/docs/errors/MEMBER_EXISTS');
  expect(statusCode).toBe(200);
  expect(body).toContain('Update that member instead.');
  expect(body).toContain('HTTP/1.1 409 Conflict\nX-Error-Code: MEMBER_EXISTS');
  expect(body).toContain(
    '&quot;type&quot;: &quot;https://loyalty.example.com/docs/errors/MEMBER_EXISTS&quot;',
  );
  expect((await open('/docs/errors/METHOD_NOT_ALLOWED')).body).toContain('HTTP/1.1 405');
});

test('a reason of two categories shows both', async () => {
  const { body } = await open('/docs/errors/CALLER_REFUSED');
  expect(body).toContain('HTTP/1.1 401');
  expect(body).toContain('HTTP/1.1 403');
});

test('the index of errors links every reason to its page', async () => {
  const links = linksIn((await open('/docs/errors')).body).filter((link) => link.startsWith('/docs/errors/'));
  expect(links.length).toBeGreaterThan(250);
  for (const link of links) expect([link, (await open(link)).statusCode]).toEqual([link, 200]);
});

test.each([
  '/docs/errors/NO_SUCH_REASON',
  '/docs/errors/toString',
  '/docs/errors/__proto__',
  '/docs/graphql/NoSuchType',
  '/docs/graphql/__Schema',
  '/docs/graphql/String',
  '/docs/graphql/constructor',
  '/docs/graphql/%3Cscript%3Ealert(1)%3C%2Fscript%3E',
])('%s is 404 and repeats nothing of it', async (url) => {
  const { statusCode, body } = await open(url);
  expect([statusCode, body.includes('alert')]).toEqual([404, false]);
});

test.each([
  ['/docs/graphql', true],
  ['/docs/graphql/Member', false],
  ['/docs/errors', true],
  ['/docs/errors/INTERNAL', false],
])('%s loads from its own origin only, and is not sent again to who has it', async (url, hasScript) => {
  const { body, headers } = await open(url);
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self';/);
  const loaded = [...body.matchAll(/ src="([^"]+)"/g)].map(([, part]) => part!);
  expect(loaded.length > 0).toBe(hasScript);
  for (const part of loaded) expect((await open(part)).statusCode).toBe(200);
  const [icon, style] = body.match(/<link[^>]*>/g)!;
  expect(icon).toBe('<link rel="icon" href="data:,">');
  expect(style).toBe('<link rel="stylesheet" href="/docs/graphql/look.css">');
  const look = await open('/docs/graphql/look.css');
  expect([look.statusCode, look.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  expect(body.replace(icon!, '').replace(style!, '') + look.body).not.toMatch(/<link|@import|url\(/);
  const again = await open(url, { 'if-none-match': String(headers['etag']) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});
