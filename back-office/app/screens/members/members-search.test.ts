import { expect, test } from '@jest/globals';
import { filterOf } from './members-search.ts';

test('what an address names that does not exist is left out', () => {
  const filter = filterOf({ status: 'NOBODY', points: 'many', sort: 'NAME', from: 'soon', to: '2026-13-01' });
  expect(filter).toMatchObject({ status: null, pointsMin: null, joinedFrom: null, joinedTo: null });
  expect(filter.sort).toBe('CREATED_DESC');
});

test('days of joining are both part of it; a last day before the first is left out', () => {
  const days = { joinedFrom: '2026-10-01', joinedTo: '2026-10-31' };
  expect(filterOf({ from: '2026-10-01', to: '2026-10-31' })).toMatchObject(days);
  const turned = filterOf({ from: '2026-10-31', to: '2026-10-01' });
  expect(turned).toMatchObject({ joinedFrom: '2026-10-31', joinedTo: null });
});
