import { expect, test } from '@jest/globals';
import { filterOf } from './orders-search.ts';

const nothing = { status: null, externalOrderId: null, storeId: null, from: null, to: null };

test('both days are part of the filter, in the time zone of the workspace', () => {
  expect(filterOf({ from: '2026-07-01', to: '2026-07-01' }, 'Europe/Lisbon')).toEqual({
    ...nothing,
    from: '2026-06-30T23:00:00.000Z',
    to: '2026-07-01T23:00:00.000Z',
  });
});

test('what an address names that does not exist is left out, and days that are turned around, too', () => {
  expect(filterOf({ status: 'LOST', from: 'July', to: '2026-02-31x' }, 'UTC')).toEqual(nothing);
  const turned = { from: '2026-07-02', to: '2026-07-01' };
  expect(filterOf(turned, 'UTC')).toMatchObject({ from: '2026-07-02T00:00:00.000Z', to: null });
});
