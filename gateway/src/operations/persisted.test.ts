import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createLog } from '@loyalty/platform/observe/log';
import { startRoute } from '../http/graphql-route.fixture.ts';
import { automaticPersisted, type PersistedOperations, persistedOperations } from './persisted.ts';
import { keptInMemory } from './persisted-texts.ts';

const log = createLog({ level: 'silent', name: 'test' });
const directory = mkdtempSync(join(tmpdir(), 'loyalty-safelist-'));
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const byHash = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

const routes: Awaited<ReturnType<typeof startRoute>>[] = [];
async function route(persisted: PersistedOperations) {
  const started = await startRoute(persisted);
  routes.push(started);
  return started;
}
afterAll(() => Promise.all(routes.map((started) => started.close())));

function safelist(manifest: unknown): PersistedOperations {
  const file = join(directory, 'manifest.json');
  writeFileSync(file, typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  return persistedOperations({ GRAPHQL_SAFELIST: file, REDIS_URL: undefined }, log);
}

const query = '{ greeting }';
const greeted = expect.objectContaining({ data: { greeting: 'hello' } });
const notFound = {
  errors: [{ message: 'PersistedQueryNotFound', extensions: { reason: 'PERSISTED_QUERY_NOT_FOUND' } }],
};

test('a text that was sent once with its hash is found by the hash', async () => {
  const { post, get } = await route(automaticPersisted(keptInMemory()));
  const extensions = byHash(sha256(query));
  // The message and code after which clients send the text.
  expect((await post({ extensions })).body).toMatchObject(notFound);
  expect((await post({ query, extensions })).body).toEqual(greeted);
  expect((await post({ extensions })).body).toEqual(greeted);
  expect((await post({ documentId: `sha256:${sha256(query)}` })).body).toEqual(greeted);
  const byGet = await get({ extensions: JSON.stringify(extensions) });
  expect(await byGet.json()).toEqual(greeted);
});

test('a text is not kept under the hash of another', async () => {
  const { post, asked } = await route(automaticPersisted(keptInMemory()));
  const extensions = byHash(sha256('{ other: greeting }'));
  const { status, body } = await post({ query, extensions });
  expect(status).toBe(400);
  expect(body).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  expect((await post({ extensions })).body).toMatchObject(notFound);
  expect(asked).toEqual([]);
});

test.each([
  ['of the codegen client preset', { 'any-id': query }],
  [
    'of Apollo',
    {
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: 'any-id', name: 'Greeting', type: 'query', body: query }],
    },
  ],
])('with a manifest %s listed operations run, by id and by text', async (_, manifest) => {
  const { post } = await route(safelist(manifest));
  expect((await post({ extensions: byHash('any-id') })).body).toEqual(greeted);
  expect((await post({ documentId: 'any-id' })).body).toEqual(greeted);
  expect((await post({ query })).body).toEqual(greeted);
});

test('with a safelist nothing else runs, and nothing can be added', async () => {
  const { post, asked } = await route(safelist({ 'any-id': query }));
  const other = '{ other: greeting }';
  const refused = {
    status: 403,
    body: { errors: [{ extensions: { code: 'FORBIDDEN', reason: 'OPERATION_NOT_LISTED' } }] },
  };
  expect(await post({ query: other })).toMatchObject(refused);
  expect(await post({ query: other, extensions: byHash(sha256(other)) })).toMatchObject(refused);
  expect((await post({ extensions: byHash(sha256(other)) })).body).toMatchObject(notFound);
  // The exact text is compared, not its meaning.
  expect(await post({ query: `${query} ` })).toMatchObject(refused);
  expect(asked).toEqual([]);
});

test('sockets and event streams read the text of an operation by the same rules', async () => {
  const listed = safelist({ 'any-id': query });
  expect(await listed.textOf({ documentId: 'any-id' })).toBe(query);
  expect(await listed.textOf({ query })).toBe(query);
  expect([...listed.known]).toEqual([query]);
  await expect(listed.textOf({ query: '{ nope }' })).rejects.toMatchObject({ code: 'OPERATION_NOT_LISTED' });
  await expect(listed.textOf({ documentId: 'nope' })).rejects.toMatchObject({
    message: 'PersistedQueryNotFound',
  });
  await expect(listed.textOf({})).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
  expect(listed.refusal(query)).toBeNull();
  expect(automaticPersisted(keptInMemory()).refusal('{ anything }')).toBeNull();
});

test('a manifest that cannot be used keeps the gateway from starting, in one sentence', () => {
  const asked = 'Set GRAPHQL_SAFELIST to a manifest {hash: document}: ';
  const read = (file: string) => () =>
    persistedOperations({ GRAPHQL_SAFELIST: file, REDIS_URL: undefined }, log);
  expect(read('/nonexistent.json')).toThrow(`${asked}there is no /nonexistent.json.`);
  for (const manifest of [
    '{',
    '[]',
    '{}',
    '{"id": 3}',
    '"text"',
    '{"format": "apollo-persisted-query-manifest"}',
  ]) {
    expect(() => safelist(manifest)).toThrow(asked);
  }
});

test('texts leave memory when there are too many', async () => {
  const kept = keptInMemory();
  const text = 'x'.repeat(200_000);
  for (let index = 0; index < 200; index += 1) await kept.set(`hash-${index}`, text);
  expect(await kept.get('hash-0')).toBeUndefined();
  expect(await kept.get('hash-199')).toBe(text);
});
