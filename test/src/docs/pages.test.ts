import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { useStack } from '../harness/stack.ts';
import { freePort } from '../processes/processes.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const stack = useStack();

/** Runs a program of the documentation, as a reader does who pastes it into a shell. */
const bash = async (...args: string[]): Promise<string> => {
  const env = { ...process.env, api: stack.url };
  const { stdout, stderr } = await promisify(execFile)('bash', args, { cwd: root, env, maxBuffer: 1 << 24 });
  return stdout + stderr;
};

test('the five calls of the README end with a redeemed coupon', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code]) => code);
  const printed = await bash('-c', blocks.join('\n'));
  expect(printed).not.toMatch(/"errors?":[^[n]|Error:/);
  const [last = ''] = printed.trim().split('\n').slice(-1);
  expect(JSON.parse(last)).toMatchObject({ pool_id: expect.any(String), redeemed: true });
});

test('the tour goes through to its last step, and nothing is refused', async () => {
  await stack.work();
  const printed = await bash('docs/tour.sh', stack.url, `${await freePort()}`);
  expect(printed).not.toMatch(/"errors":|"error":\{|Error:|command not found/);
  for (const shown of [
    '"status":"COMPLETED"',
    '"kind":"AWARD"',
    'points_balance',
    '"count":',
    '"isMember":true',
  ])
    expect(printed).toContain(shown);
}, 240_000);

test('every link of a page leads to a file', () => {
  const pages = globSync('{README.md,docs/**/*.md,.github/*.md,deploy/*.md,*/README.md,subgraphs/*/*.md}', {
    cwd: root,
    exclude: ['node_modules/**'],
  });
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#|\/)([^)#\s]+)/g)]
      .map(([, link]) => link!)
      .filter((link) => !existsSync(join(root, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  expect(pages.length).toBeGreaterThan(10);
  expect(broken).toEqual([]);
});

test.each([
  ['bench', 'Benches'],
  ['model', 'Programs of the model'],
])('npm run %s has a row for each of its names', async (task, title) => {
  const failed = promisify(execFile)(process.execPath, ['scripts/run.mjs', task], { cwd: root });
  const { stderr } = await failed.catch((error: { stderr: string }) => error);
  const [, names = ''] = /one of (.+)\./.exec(stderr) ?? [];
  const page = readFileSync(join(root, 'docs/development.md'), 'utf8');
  const [, section = ''] = page.split(`## ${title}\n`);
  const rows = [...section.split('\n## ')[0]!.matchAll(/^\| `([a-z-]+)/gm)].map(([, name]) => name);
  expect([...new Set(rows)].sort()).toEqual(names.split(', '));
});
