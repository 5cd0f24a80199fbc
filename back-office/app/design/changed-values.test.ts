import { expect, test } from '@jest/globals';
import { changedValues } from './changed-values.ts';

test.each([
  [{ name: 'Gold', rank: 2 }, { name: 'Gold', rank: 2 }, {}],
  [{ name: 'Gold', rank: 2 }, { name: 'Golden', rank: 2 }, { name: 'Golden' }],
  [{ days: 30 as number | null }, { days: null }, { days: null }],
])('of %j changed to %j only %j is sent', (before, after, sent) => {
  expect(changedValues<object>(after, before)).toEqual(sent);
});
