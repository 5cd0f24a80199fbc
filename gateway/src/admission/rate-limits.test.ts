import { expect, test } from '@jest/globals';
import { anonymous, type Caller, defaultLimits } from '@loyalty/platform/base/caller';
import { createRateLimits } from './rate-limits.ts';

const key: Caller = {
  ...anonymous,
  kind: 'KEY',
  workspaceId: 'w',
  actor: 'key:1',
  limits: { ...defaultLimits, requestsPerMinute: 5, modelRequestsPerMinute: 2 },
};
const allowed = async (...asked: Promise<{ allowed: boolean }>[]) =>
  (await Promise.all(asked)).map((state) => state.allowed);

test('requests to the model API use up none of the others, and are refused at a number of their own', async () => {
  const { consume } = createRateLimits(undefined);
  const model = () => consume(key, '203.0.113.7', 'model-requests');
  expect(await allowed(model(), model(), model())).toEqual([true, true, false]);
  expect(await consume(key, '203.0.113.7')).toMatchObject({ allowed: true, limit: 5, remaining: 4 });
});

test('equal numbers are counted apart all the same', async () => {
  const { consume } = createRateLimits(undefined);
  const even = { ...key, limits: { ...key.limits, requestsPerMinute: 2 } };
  await consume(even, '203.0.113.7', 'model-requests');
  expect((await consume(even, '203.0.113.7')).remaining).toBe(1);
});

test('each key has its own', async () => {
  const { consume } = createRateLimits(undefined);
  await consume(key, '203.0.113.7', 'model-requests');
  const other = { ...key, actor: 'key:2' };
  expect((await consume(other, '203.0.113.7', 'model-requests')).remaining).toBe(1);
});

test('workspaces with other numbers have limits of their own', async () => {
  const { consume } = createRateLimits(undefined);
  await consume(key, '203.0.113.7');
  const larger = { ...key, actor: 'key:2', limits: { ...key.limits, requestsPerMinute: 9 } };
  expect(await consume(larger, '203.0.113.7')).toMatchObject({ limit: 9, remaining: 8 });
});

test('a publishable key is counted for each address, and an address for each publishable key', async () => {
  const { consume } = createRateLimits(undefined);
  const visitor = { ...key, kind: 'PUBLISHABLE' as const };
  const left = async (...by: Parameters<typeof consume>) => (await consume(...by)).remaining;
  expect(await left(visitor, '203.0.113.7')).toBe(599);
  expect(await left(visitor, '203.0.113.8')).toBe(599);
  expect(await left({ ...visitor, actor: 'key:2' }, '203.0.113.7')).toBe(599);
  expect(await left(visitor, '203.0.113.7')).toBe(598);
});

test('nobody is counted for each address', async () => {
  const { consume } = createRateLimits(undefined);
  const left = async (address: string) => (await consume(anonymous, address)).remaining;
  expect([await left('203.0.113.7'), await left('203.0.113.8'), await left('203.0.113.7')]).toEqual([
    ...[599, 599, 598],
  ]);
});
