import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { useStack } from '../harness/stack.ts';
import { documents } from './documents.fixture.ts';

const stack = useStack();

test('the SDL can be downloaded, and is valid', async () => {
  const { status, body } = await stack.rest('GET', '/docs/graphql/schema.graphql');
  expect(status).toBe(200);
  expect(Object.keys(buildSchema(body).getMutationType()!.getFields()).length).toBeGreaterThan(100);
});

test('every address in the overview for language models answers', async () => {
  const { body } = await stack.rest('GET', '/llms.txt');
  const links = [...String(body).matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => new URL(link!).pathname);
  expect(links.length).toBeGreaterThan(6);
  for (const path of links) expect([path, (await stack.rest('GET', path)).status]).toEqual([path, 200]);
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
