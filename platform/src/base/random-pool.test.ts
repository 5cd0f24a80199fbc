import { expect, test } from '@jest/globals';
import { pooledRandomBytes } from './random-pool.ts';

test('bytes are as many as asked for, and are handed out once', () => {
  const seen = new Set<string>();
  for (let count = 0; count < 3_000; count += 1) {
    for (const length of [12, 16, 32]) {
      const bytes = pooledRandomBytes(length);
      expect(bytes).toHaveLength(length);
      seen.add(bytes.subarray(0, 12).toString('hex'));
    }
  }
  expect(seen.size).toBe(9_000);
});

test('bytes stay with their owner when the next are drawn', () => {
  const mine = pooledRandomBytes(32);
  const before = mine.toString('hex');
  for (let count = 0; count < 1_000; count += 1) pooledRandomBytes(32);
  expect(mine.toString('hex')).toBe(before);
});
