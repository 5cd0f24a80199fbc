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
