import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { committedSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import fastify from 'fastify';
import '@loyalty/platform/http/http-request';
import { graphReference } from './graph-reference.ts';
import { referenceFiles } from './reference-page.ts';

const shown = committedSupergraph();
const app = fastify();
app.decorate('publicUrl', 'https://loyalty.example.com');
beforeAll(async () => {
  await graphReference(app, { shown: () => shown });
  await app.ready();
});
afterAll(() => app.close());

const open = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers });
const linksIn = (page: string) => [...page.matchAll(/ href="([^"]+)"/g)].map(([, link]) => link!);

test('the page has every type and every operation once, and its links lead somewhere', async () => {
  const { body } = await open('/docs/graphql');
  const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
  expect(new Set(ids).size).toBe(ids.length);
  const names = Object.keys(shown.schema.getTypeMap()).filter(
    (name) => !/^__|^(ID|Int|Float|String|Boolean)$/.test(name),
  );
  const operations = [
    shown.schema.getQueryType()!,
    shown.schema.getMutationType()!,
    shown.schema.getSubscriptionType()!,
  ].flatMap((root) => Object.keys(root.getFields()).map((name) => `${root.name}.${name}`));
  expect(operations.length).toBeGreaterThan(300);
  const has = new Set(ids);
  expect([...names, ...operations].filter((id) => !has.has(id))).toEqual([]);
  const anchors = linksIn(body).filter((link) => link.startsWith('#'));
  expect(anchors.filter((anchor) => !has.has(anchor.slice(1)))).toEqual([]);
});

test.each([
  ['a field', 'id="Member.pointsBalance"'],
  ['who may read it', 'Scopes: members:read, or members:write.'],
  ['a value of an enum', 'id="JobState.COMPLETED_WITH_ERRORS"'],
  ['an input', 'Default of the cap: 100,000.'],
  ['a scalar', 'https://datatracker.ietf.org/doc/html/rfc3339'],
  ['the types of an interface', 'href="#BulkAward"'],
  ['a default', '= <code>false</code>'],
])('it has %s', async (_, part) => {
  expect((await open('/docs/graphql')).body).toContain(part);
});

test('the address of a type leads to it on the page', async () => {
  const { statusCode, headers } = await open('/docs/graphql/Member');
  expect([statusCode, headers.location]).toEqual([301, '/docs/graphql#Member']);
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

test.each(['/docs/graphql', '/docs/errors', '/docs/errors/INTERNAL'])(
  '%s loads from its own origin only, and is not sent again to who has it',
  async (url) => {
    const { body, headers } = await open(url);
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:/);
    const loaded = [...body.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, part]) => part!,
    );
    const served = Object.keys(referenceFiles).map((name) => `/docs/${name}`);
    expect(loaded).toHaveLength(4);
    expect(loaded.filter((part) => !served.includes(part))).toEqual([]);
    expect(body).not.toMatch(/<style|@import| style="/);
    const again = await open(url, { 'if-none-match': String(headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const packed = await open(url, { 'accept-encoding': 'gzip, br' });
    expect([packed.headers['content-encoding'], packed.headers['vary']]).toEqual(['br', 'Accept-Encoding']);
    expect(packed.rawPayload.length).toBeLessThan(body.length / 2);
  },
);
