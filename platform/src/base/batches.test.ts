import { expect, test } from '@jest/globals';
import { inTurns } from './batches.ts';

test('others have their turns during long work; short work is done at once', async () => {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns += 1;
    next = setImmediate(turn);
  });
  const seen: number[] = [];
  for await (const item of inTurns([1, 2, 3])) seen.push(item);
  expect(turns).toBe(0);
  for await (const item of inTurns(seen)) {
    for (const end = performance.now() + 10; performance.now() < end; );
    seen.push(-item);
    if (seen.length === 6) break;
  }
  clearImmediate(next);
  expect(seen).toEqual([1, 2, 3, -1, -2, -3]);
  expect(turns).toBeGreaterThanOrEqual(2);
});
