import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { createLimiter, rateLimitHeaders } from './limiter.ts';

test('a key gets its points and is refused beyond them, other keys are not', async () => {
  const limiter = createLimiter({ name: 'requests', points: 3, durationSeconds: 60 });
  const states = [];
  for (let i = 0; i < 4; i++) states.push(await limiter.consume('key-1'));
  expect(states.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  expect(states[3]).toMatchObject({ limit: 3, resetSeconds: 60, windowSeconds: 60 });
  expect(await limiter.consume('key-2')).toMatchObject({ allowed: true, remaining: 2 });
  await limiter.close();
});

test('a call takes as many points as it costs', async () => {
  const limiter = createLimiter({ name: 'values', points: 10, durationSeconds: 60 });
  expect(await limiter.consume('key', 8)).toMatchObject({ allowed: true, remaining: 2 });
  expect(await limiter.consume('key', 3)).toMatchObject({ allowed: false, remaining: 0 });
});

test('a hundred calls at once get exactly the points there are', async () => {
  const limiter = createLimiter({ name: 'requests', points: 40, durationSeconds: 60 });
  const states = await Promise.all(Array.from({ length: 100 }, () => limiter.consume('key')));
  expect(states.filter(({ allowed }) => allowed)).toHaveLength(40);
});

test.each(['refuses connections', 'says nothing'])(
  'a limiter whose Redis %s counts in memory',
  async (fault) => {
    const redis = createServer().listen(0, '127.0.0.1');
    await once(redis, 'listening');
    const { port } = redis.address() as AddressInfo;
    if (fault === 'refuses connections') redis.close();
    const limiter = createLimiter({
      name: 'requests',
      points: 2,
      durationSeconds: 60,
      redisUrl: `redis://127.0.0.1:${port}`,
    });
    const states = [await limiter.consume('key'), await limiter.consume('key'), await limiter.consume('key')];
    expect(states.map(({ allowed }) => allowed)).toEqual([true, true, false]);
    await limiter.close();
    redis.close();
  },
);

test('the headers have the structured form of the draft, Retry-After only on a refusal', () => {
  const state = { allowed: true, limit: 6_000, remaining: 5_999, resetSeconds: 42, windowSeconds: 60 };
  expect(rateLimitHeaders(state, 'requests')).toEqual({
    'RateLimit-Policy': '"requests";q=6000;w=60',
    RateLimit: '"requests";r=5999;t=42',
  });
  expect(rateLimitHeaders({ ...state, allowed: false, remaining: 0 }, 'requests')).toMatchObject({
    RateLimit: '"requests";r=0;t=42',
    'Retry-After': '42',
  });
  expect(() => rateLimitHeaders(state, 'a"b')).toThrow(RangeError);
});
