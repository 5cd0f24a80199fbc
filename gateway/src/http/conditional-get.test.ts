import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { automaticPersisted } from '../operations/persisted.ts';
import { keptInMemory } from '../operations/persisted-texts.ts';
import { startRoute } from './graphql-route.fixture.ts';

let route: Awaited<ReturnType<typeof startRoute>>;
beforeAll(async () => {
  route = await startRoute(automaticPersisted(keptInMemory()));
});
afterAll(() => route.close());

const vary = 'Authorization, X-API-Key, X-Loyalty-Mode, Cookie, Sec-GPC, Accept';

test('an answer by GET is kept by its caller alone, and asked for again each time', async () => {
  const { status, headers } = await route.get({ query: '{ greeting }' });
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect(headers.get('vary')).toBe(vary);
  expect(headers.get('etag')).toMatch(/^"[\w-]{27}"$/);
});

test('an answer that the client has is not sent again', async () => {
  const first = await route.get({ query: '{ greeting }' });
  const etag = first.headers.get('etag')!;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await route.get({ query: '{ greeting }' }, { 'if-none-match': known });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(etag);
    expect(again.headers.get('cache-control')).toBe('private, no-cache');
    expect(again.headers.get('vary')).toBe(vary);
  }
});

test('another answer, or the same as another media type, is sent whole', async () => {
  const first = await route.get({ query: '{ greeting }' });
  const known = { 'if-none-match': first.headers.get('etag')! };
  expect((await route.get({ query: '{ again: greeting }' }, known)).status).toBe(200);
  const newer = { ...known, accept: 'application/graphql-response+json' };
  expect((await route.get({ query: '{ greeting }' }, newer)).status).toBe(200);
});

test('what went wrong, and what came by POST, is not kept', async () => {
  const faults = ['{ nope }', '{ secret }', 'mutation { greet }', ''];
  for (const query of faults) {
    const { headers } = await route.get({ query });
    expect([query, headers.get('cache-control'), headers.get('etag')]).toEqual([query, 'no-store', null]);
  }
  const posted = await fetch(route.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'if-none-match': '*' },
    body: JSON.stringify({ query: '{ greeting }' }),
  });
  expect([posted.status, posted.headers.get('cache-control'), posted.headers.get('etag')]).toEqual([
    200,
    'no-store',
    null,
  ]);
});

test('a mutation does not run by GET', async () => {
  route.asked.length = 0;
  const { status, headers } = await route.get({ query: 'mutation { greet }' });
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  expect(route.asked).toEqual([]);
});

test('a query that any page could send by GET is refused', async () => {
  const { status } = await fetch(`${route.url}?query=${encodeURIComponent('{ greeting }')}`);
  expect(status).toBe(400);
});
