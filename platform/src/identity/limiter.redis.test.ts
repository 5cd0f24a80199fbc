import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { createLimiter } from './limiter.ts';

const redisUrl = process.env['REDIS_URL']!;
const settings = { points: 40, durationSeconds: 2 };

test('two processes share one count, to the point', async () => {
  const name = `test-${randomUUID()}`;
  const limiters = [
    createLimiter({ name, ...settings, redisUrl }),
    createLimiter({ name, ...settings, redisUrl }),
  ];
  await ready(name);
  const states = await Promise.all(Array.from({ length: 100 }, (_, i) => limiters[i % 2]!.consume('key')));
  expect(states.filter(({ allowed }) => allowed)).toHaveLength(40);
  expect(states.every(({ resetSeconds }) => resetSeconds >= 1 && resetSeconds <= 2)).toBe(true);
  await Promise.all(limiters.map((limiter) => limiter.close()));

  // A limiter counts in memory until it is connected; this test needs both to be connected.
  async function ready(limit: string): Promise<void> {
    const redis = new Redis(redisUrl);
    for (let i = 0; (await redis.exists(`limit:${limit}:warm-0`, `limit:${limit}:warm-1`)) < 2; i++) {
      if (i > 1_000) throw new Error('The limiters did not connect.');
      await Promise.all(limiters.map((limiter, n) => limiter.consume(`warm-${n}`, 0)));
    }
    await redis.quit();
  }
});

test('a shared connection is used and left open', async () => {
  const redis = new Redis(redisUrl);
  await redis.ping();
  const limiter = createLimiter({ name: `test-${randomUUID()}`, ...settings, redis });
  expect(await limiter.consume('key', 39)).toMatchObject({ allowed: true, remaining: 1 });
  // From the second call on, the refusal comes from memory.
  for (let i = 0; i < 3; i++) {
    expect(await limiter.consume('key', 2)).toMatchObject({ allowed: false, remaining: 0 });
  }
  await limiter.close();
  expect(redis.status).toBe('ready');
  await redis.quit();
});
