import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { useStack } from '../harness/stack.ts';
import { isRunnable, runPage } from './run-page.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const first = 'docs/start/get-a-key.md';
const pages: string[] = [];
for (const page of globSync('docs/{start,concepts,guides,reference}/*.md', { cwd: root }).sort())
  if (await isRunnable(join(root, page))) pages.push(page);

const stack = useStack();
const hasPython = spawnSync('python3', ['--version']).status === 0;

beforeAll(() => {
  // Readers are not at one moment: what they do now must not lie in the future.
  Object.assign(stack.services.clock, systemClock);
  return stack.work();
});

/** Each page is run by a reader with an account of their own, who comes from the first one. */
test.each(pages.map((page, at) => [page, `reader.${at}@example.com`] as const))(
  'what %s shows is what happens',
  async (page, email) => {
    const after = page === first ? [] : [join(root, first)];
    await runPage(join(root, page), { url: stack.url, after, env: { email }, hasPython, timeoutMs: 300_000 });
  },
  330_000,
);

test('every page but the first says where its variables come from', async () => {
  const sentence = 'The commands use `$api`, `$token` and `$key` from [Get a key](../start/get-a-key.md).';
  const texts = await Promise.all(pages.map((page) => readFile(join(root, page), 'utf8')));
  expect(pages.filter((_, at) => !texts[at]!.includes(sentence))).toEqual([first]);
});
