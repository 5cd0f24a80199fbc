import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '../harness/database/database.ts';
import { compileCache } from './compile-cache.ts';

const main = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));
let taken: Server;
let port: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  taken = createServer();
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  port = String((taken.address() as { port: number }).port);
});
afterAll(async () => {
  taken.close();
  await database.drop();
});

async function run(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; said: string }> {
  const everyone = {
    PATH: process.env['PATH'] ?? '',
    LOG_LEVEL: 'silent',
    ...compileCache,
    LOYALTY_DEMO: '0',
    DATABASE_URL: database.url,
  };
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...everyone, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, said: said.trim() };
}

test.each([
  ['a port that is taken', () => ({ PORT: port }), /^Port \d+ is taken: set PORT to a free one/],
  [
    'a database that is away',
    () => ({ DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }),
    /^The database cannot be reached .*check DATABASE_URL/,
  ],
  [
    'a database that is none',
    () => ({ DATABASE_URL: 'mysql://x' }),
    /^Set DATABASE_URL to a URL such as postgres:/,
  ],
  ['a setting that is wrong', () => ({ PORT: 'http' }), /^Set PORT to a whole number from 0 to 65535\.$/],
  [
    'a missing secret in production',
    () => ({ NODE_ENV: 'production' }),
    /^Set LOYALTY_MASTER_KEYS in production: /,
  ],
  [
    'a master key that is too short',
    () => ({ LOYALTY_MASTER_KEYS: 'a:YWJj' }),
    /^Set LOYALTY_MASTER_KEYS to a list/,
  ],
  [
    'Redis that is away',
    () => ({ REDIS_URL: 'redis://127.0.0.1:1', PORT: '0' }),
    /^Redis cannot be reached: check REDIS_URL/,
  ],
])('start with %s says in one sentence what to do and exits 1', async (_, env, sentence) => {
  const { code, said } = await run(['start'], env());
  expect(said).toMatch(sentence);
  expect(said.split('\n')).toHaveLength(1);
  expect(code).toBe(1);
});

test.each([
  [['serve', 'subgraph', 'shop'], {}, /^There is no subgraph shop: choose one of workspace, loyalty/],
  [['serve', 'gateway'], { DATABASE_URL: '' }, /^Set DATABASE_URL: separate processes share one/],
  [['frobnicate'], {}, /unknown command 'frobnicate'/],
])('loyalty %j says what is possible and exits 1', async (args, env, sentence) => {
  const { code, said } = await run(args, env);
  expect(said).toMatch(sentence);
  expect(code).toBe(1);
});
