import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PostmanCollection } from '@loyalty/rest-adapter/openapi/postman';
import { buildSchema } from 'graphql';
import { useStack } from '../harness/stack.ts';
import { documents } from './documents.fixture.ts';

const stack = useStack();
let key: string;

beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token, ['members:read', 'segments:write'], 'TEST')).secret;
}, 60_000);

const found = (collection: PostmanCollection, folder: string, method: string, path: string) =>
  collection.item
    .find(({ name }) => name === folder)!
    .item.find((one) => one.request.method === method && one.request.url.raw.endsWith(path))!;

/** The tests of a request that fail on an answer, as Postman would say. */
async function failing(exec: readonly string[], answer: Response): Promise<string[]> {
  const failed: string[] = [];
  const text = await answer.text();
  const check = (holds: boolean) => {
    if (!holds) throw new Error('does not hold');
  };
  const expectation = (value: unknown) => ({
    to: {
      be: {
        oneOf: (list: unknown[]) => check(list.includes(value)),
        an: (type: string) => check(type === 'array' && Array.isArray(value)),
      },
      include: Object.assign((part: string) => check(String(value).includes(part)), {
        all: { keys: (names: string[]) => check(names.every((name) => name in (value as object))) },
      }),
    },
  });
  const pm = {
    response: { code: answer.status, headers: answer.headers, json: () => JSON.parse(text) },
    expect: expectation,
    test(name: string, run: () => void) {
      try {
        run();
      } catch {
        failed.push(name);
      }
    },
  };
  runInNewContext(exec.join('\n'), { pm });
  return failed;
}

/** Sends a request of a collection as Postman does, once its variables are set. */
async function send(
  collection: PostmanCollection,
  folder: string,
  method: string,
  path: string,
  as: string = key,
) {
  const { request } = found(collection, folder, method, path);
  const values = new Map([
    ...collection.variable.map(({ key: name, value }) => [name, value] as const),
    ['key', as],
  ]);
  const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name)!);
  const headers = new Headers(
    request.header.map(({ key: name, value }): [string, string] => [name, filled(value)]),
  );
  headers.set('authorization', `Bearer ${filled('{{key}}')}`);
  const body = request.body && { body: filled(request.body.raw) };
  return fetch(filled(request.url.raw), { method, headers, ...body });
}

test('the collection for Postman runs as it is, reading and writing; without a key its tests fail', async () => {
  const { status, body } = await stack.rest('GET', '/openapi/v2.postman.json');
  expect(status).toBe(200);
  const collection = body as PostmanCollection;
  expect(collection.variable[0]).toEqual({ key: 'url', value: stack.url });
  for (const [folder, method, path] of [
    ['members', 'GET', '/members'],
    ['segments', 'POST', '/segments'],
    ['tags', 'GET', '/tags'],
  ] as const) {
    const { exec } = found(collection, folder, method, path).event[0].script;
    expect([path, await failing(exec, await send(collection, folder, method, path))]).toEqual([path, []]);
    const refused = await failing(exec, await send(collection, folder, method, path, ''));
    expect([path, refused]).toEqual([
      path,
      expect.arrayContaining([expect.stringMatching(/^answers with 20/)]),
    ]);
  }
});

test.each(['v1', 'v2'] as const)(
  'every request of the collection of %s has tests that can be run',
  async (api) => {
    const { body } = await stack.rest('GET', `/openapi/${api}.postman.json`);
    const folders = (body as PostmanCollection).item;
    expect(folders).not.toHaveLength(0);
    for (const { item } of folders)
      for (const { name, event } of item) {
        expect(event.map(({ listen, script }) => [listen, script.type])).toEqual([
          ['test', 'text/javascript'],
        ]);
        const failed = await failing(event[0].script.exec, new Response('[]', { status: 401 }));
        expect([name, failed]).toEqual([
          name,
          expect.arrayContaining([expect.stringMatching(/^answers with 2/)]),
        ]);
      }
  },
);

test.each(['v1', 'v2'] as const)(
  'the collection of %s has every operation of the document, once',
  async (api) => {
    const { body } = await stack.rest('GET', `/openapi/${api}.postman.json`);
    const { item, info } = body as PostmanCollection;
    expect(info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
    const sent = item.flatMap((folder) =>
      folder.item.map(({ request }) => `${request.method} ${request.url.raw.slice('{{url}}'.length)}`),
    );
    const described = Object.entries(documents[api].paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(sent.toSorted()).toEqual(described.toSorted());
  },
);

test('the SDL can be downloaded, and is valid', async () => {
  const { status, body } = await stack.rest('GET', '/docs/graphql/schema.graphql');
  expect(status).toBe(200);
  expect(Object.keys(buildSchema(body).getMutationType()!.getFields()).length).toBeGreaterThan(100);
});

describe('CHANGELOG.md', () => {
  const text = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const [, latest] = /^## (\d+\.\d+\.\d+)/m.exec(text) ?? [];

  test('begins with the version that is served', () => {
    const { version } = createRequire(import.meta.url)('../../../cli/package.json') as { version: string };
    expect(latest).toBe(version);
    for (const { info } of Object.values(documents))
      expect(text).toContain(`${(info as { version: string }).version}`);
  });
});
