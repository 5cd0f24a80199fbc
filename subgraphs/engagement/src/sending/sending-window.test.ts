import { expect, test } from '@jest/globals';
import type { HttpClient } from '@loyalty/platform/outbound/http-client';
import type { Queue } from './sending.store.ts';
import { windowOf } from './sending-window.ts';

const never = new Promise<void>(() => undefined);

test('messages use the capacity of their own workspace and category only', () => {
  const window = windowOf({} as HttpClient);
  const [one, other] = ['one', 'other'].map(
    (workspaceId) => ({ workspaceId, category: 'MARKETING' }) as const,
  );
  const receipts: Queue = { ...one!, category: 'TRANSACTIONAL' };
  const counts = [
    [one!, 60],
    [other!, 150],
    [receipts, 100],
  ] as const;
  for (const [queue, count] of counts) for (let each = 0; each < count; each += 1) window.run(queue, never);
  expect(window.capacity()).toEqual({
    total: 690,
    perQueue: 200,
    busy: [
      { ...one, free: 140 },
      { ...other, free: 0 },
      { ...receipts, free: 100 },
    ],
  });
});
