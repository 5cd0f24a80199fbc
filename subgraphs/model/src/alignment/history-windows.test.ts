import { expect, test } from '@jest/globals';
import { closedWindows } from './history-windows.ts';

test('windows are closed, do not overlap, and the newest is first', () => {
  expect(closedWindows(20_000, 19_000, 30)).toEqual([
    { cutoffDay: 19_969, labelEndDay: 19_999 },
    { cutoffDay: 19_939, labelEndDay: 19_969 },
    { cutoffDay: 19_909, labelEndDay: 19_939 },
    { cutoffDay: 19_879, labelEndDay: 19_909 },
  ]);
});

test('windows whose cutoff has less than 28 days of history are left out', () => {
  expect(closedWindows(20_000, 19_911, 30)).toHaveLength(2);
  expect(closedWindows(20_000, 19_990, 30)).toEqual([]);
});
