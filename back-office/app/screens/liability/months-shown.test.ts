import { expect, test } from '@jest/globals';
import { monthsShown } from './months-shown.ts';

test('shows eighteen months and adds up the rest', () => {
  const months = Array.from({ length: 20 }, (_, place) => ({ month: `m${place}`, outstanding: `${place}` }));
  const shown = monthsShown(months);
  expect(shown.months).toHaveLength(18);
  expect(shown.months.at(-1)).toEqual({ month: 'm17', value: 17 });
  expect(shown.later).toBe(18 + 19);
  expect(monthsShown(months.slice(0, 2)).later).toBe(0);
});
