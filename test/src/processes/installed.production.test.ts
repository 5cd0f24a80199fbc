import { execFile } from 'node:child_process';
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientOf } from '../harness/client.ts';
import { createBareDatabase } from '../harness/database/database.ts';
import { useStack } from '../harness/stack.ts';
import { environmentOf } from './environment.ts';
import { startProcess, startSeven } from './processes.ts';
import { runScenario, type Step } from './scenario.ts';

const PACKAGES_MAX = 750;
const MEGABYTES_MAX = 700;

/** The folder that `npm run build:production` made, outside of this checkout. */
const tree = process.env['PRODUCTION_TREE']!;
const command = join(tree, 'cli/bin/loyalty.mjs');
const together = useStack();
let expected: Step[];
let database: Awaited<ReturnType<typeof createBareDatabase>>;
let settings: Record<string, string>;

beforeAll(async () => {
  database = await createBareDatabase();
  settings = {
    ...environmentOf(database.url),
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://loyalty.example.com',
    MAIL_URL: 'smtp://127.0.0.1:9',
  };
  await together.work();
  expected = await runScenario(together);
});
afterAll(() => database.drop());

/** Runs `loyalty <args>` to its end, with the installed command. */
const loyalty = (...args: string[]) =>
  promisify(execFile)(process.execPath, [command, ...args], { env: settings });

test(`the installed product has less than ${PACKAGES_MAX} packages and ${MEGABYTES_MAX} MB`, () => {
  const lock = readFileSync(join(tree, 'node_modules/.package-lock.json'), 'utf8');
  const packages: { link?: boolean }[] = Object.values(JSON.parse(lock).packages);
  expect(packages.filter(({ link }) => !link).length).toBeLessThan(PACKAGES_MAX);
  const entries = readdirSync(tree, { recursive: true, withFileTypes: true });
  const blocks = entries.map(({ parentPath, name }) => lstatSync(join(parentPath, name)).blocks);
  const bytes = blocks.reduce((sum, count) => sum + count * 512, 0);
  expect(bytes / 1_000_000).toBeLessThan(MEGABYTES_MAX);
});

test('the installed product migrates an empty database, and its eight processes answer as the product in one process', async () => {
  expect((await loyalty('migrate')).stdout).toContain('The database is up to date.');
  const seven = await startSeven(settings);
  const adapter = await startProcess(['serve', 'rest-adapter'], { ...settings, GATEWAY_URL: seven.url });
  try {
    const apart = { ...clientOf(seven.url), rest: clientOf(adapter.url).rest };
    expect(await runScenario(apart)).toEqual(expected);
    for (const path of ['/docs/', '/docs/running', '/docs/rest', '/llms.txt', '/CHANGELOG.md'])
      expect([path, await page(`${seven.url}${path}`)]).toMatchObject([path, { status: 200 }]);
    const explorer = await page(`${seven.url}/graphql`);
    expect(explorer).toEqual({
      status: 404,
      text: expect.stringContaining('no part of a production install'),
    });
  } finally {
    expect(await adapter.end()).toBe(0);
    expect(await seven.close()).toEqual(Array(7).fill(0));
  }
}, 180_000);

test('the image is made by the same steps, on the Node of this checkout', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const { devDependencies } = JSON.parse(read('package.json'));
  const image = read('deploy/Dockerfile');
  expect(/^FROM node:([\d.]+)/m.exec(image)?.[1]).toBe(devDependencies.node);
  const steps = image.matchAll(/(?:production\.mjs|build:production --) (\w+)/g);
  expect([...steps].map(([, step]) => step)).toEqual(['manifests', 'packages', 'sources']);
});

const page = async (url: string) => {
  const response = await fetch(url, { headers: { accept: 'text/html' } });
  return { status: response.status, text: await response.text() };
};

test('without a database the installed product says in one sentence what to set', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'loyalty-data-'));
  chmodSync(directory, 0o755);
  const env = { NODE_ENV: 'development', LOYALTY_DATA_DIR: directory };
  const started = promisify(execFile)(process.execPath, [command, 'start'], { env });
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The npm package .* is not installed.*set DATABASE_URL.*\n$/),
  });
  rmSync(directory, { recursive: true });
});
