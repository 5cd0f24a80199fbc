import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import fastify, { type FastifyInstance } from 'fastify';
import { overview } from './overview.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  await app.register(namedPlugin(overview), { address: 'https://loyalty.example.com' });
});
afterAll(() => app.close());

test('the overview for language models has the form of llmstxt.org, with whole addresses', async () => {
  const { statusCode, headers, body } = await app.inject('/llms.txt');
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toMatch(/^# .+\n\n> .+/);
  const links = [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
  expect(links.length).toBeGreaterThan(6);
  for (const link of links) expect(link).toMatch(/^https:\/\/loyalty\.example\.com\/\w/);
});

test('the changelog is served as it is', async () => {
  const { statusCode, headers, body } = await app.inject('/CHANGELOG.md');
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect(body).toBe(readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8'));
});
