import { expect, test } from '@jest/globals';
import { reactions } from './reactions.ts';
import { schedule } from './schedule.ts';

test('reactions are sorted by event, one row for each', () => {
  const events = reactions.map(({ event }) => event);
  expect(events).toEqual([...new Set(events)].sort());
});

test('jobs are scheduled once each, those with the shortest period first', () => {
  const names = schedule.map(({ job }) => job.name);
  expect(names).toEqual([...new Set(names)]);
  const periods = schedule.map(({ everyMs }) => everyMs);
  expect(periods).toEqual(periods.toSorted((a, b) => a - b));
});
