import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createLog } from '@loyalty/platform/observe/log';
import { eventually } from '@loyalty/test/harness/eventually';
import { Redis } from 'ioredis';
import { keptInMemory, keptInRedis } from './persisted-texts.ts';

const redisUrl = process.env['REDIS_URL']!;
const log = createLog({ level: 'silent', name: 'test' });
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('what one gateway keeps another finds, for a day', async () => {
  const [one, other] = [keptInRedis(redisUrl, log), keptInRedis(redisUrl, log)];
  const redis = new Redis(redisUrl);
  const text = `{ n${randomUUID().replaceAll('-', '')} }`;
  try {
    await eventually(async () => {
      await one.set(sha256(text), text);
      expect(await other.get(sha256(text))).toBe(text);
    });
    const seconds = await redis.ttl(`persisted-operation:${sha256(text)}`);
    expect(seconds).toBeGreaterThan(86_000);
    expect(seconds).toBeLessThanOrEqual(86_400);
  } finally {
    await Promise.all([one.close(), other.close(), redis.quit()]);
  }
});

test('a text that does not belong to its hash is not run', async () => {
  const kept = keptInRedis(redisUrl, log);
  const redis = new Redis(redisUrl);
  const [text, planted] = [`{ n${randomUUID().replaceAll('-', '')} }`, '{ planted }'];
  try {
    await eventually(async () => {
      await redis.set(`persisted-operation:${sha256(text)}`, text, 'EX', 60);
      expect(await kept.get(sha256(text))).toBe(text);
    });
    await redis.set(`persisted-operation:${sha256('{ honest }')}`, planted, 'EX', 60);
    expect(await kept.get(sha256('{ honest }'))).toBeUndefined();
  } finally {
    await Promise.all([kept.close(), redis.quit()]);
  }
});

test('without Redis each gateway keeps texts for itself, and does not wait', async () => {
  const kept = keptInRedis('redis://127.0.0.1:1', log);
  const memory = keptInMemory();
  try {
    await kept.set('hash', 'text');
    await memory.set('hash', 'text');
    expect(await kept.get('hash')).toBe(await memory.get('hash'));
    expect(await kept.get('unknown')).toBeUndefined();
  } finally {
    await kept.close();
  }
});
