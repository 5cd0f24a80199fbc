import { afterEach, beforeEach, expect, test } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { addReadiness } from './readiness.ts';

let app: FastifyInstance;
let reason: string | null;
let origin: string;

beforeEach(async () => {
  reason = null;
  app = fastify();
  addReadiness(app, async () => reason);
  app.get('/work', async () => ({ status: 'done' }));
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

const get = async (path: string) => {
  const response = await fetch(`${origin}${path}`);
  const { status } = (await response.json()) as { status: string };
  return [response.status, path === '/work' ? response.headers.get('connection') : status];
};

test('a process that cannot serve now lives, and says why it gets no requests', async () => {
  expect([await get('/healthz'), await get('/readyz')]).toEqual([
    [200, 'ok'],
    [200, 'ready'],
  ]);
  reason = 'database unavailable';
  expect([await get('/healthz'), await get('/readyz')]).toEqual([
    [200, 'ok'],
    [503, 'database unavailable'],
  ]);
});

test('a process that stops behind a proxy serves on, and closes each connection after its answer', async () => {
  expect(await get('/work')).toEqual([200, 'keep-alive']);
  const startedAt = performance.now();
  const withdrawn = app.withdraw(300);
  expect([await get('/readyz'), await get('/work')]).toEqual([
    [503, 'closing'],
    [200, 'close'],
  ]);
  await withdrawn;
  expect(performance.now() - startedAt).toBeGreaterThan(290);
});
