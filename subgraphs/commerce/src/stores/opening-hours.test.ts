import { describe, expect, test } from '@jest/globals';
import { AppError } from '@loyalty/platform/base/errors';
import { checkHours, isOpenAt } from './opening-hours.ts';
import type { OpeningHours, Store, Weekday } from './stores.store.ts';

const on = (weekday: Weekday, opensAt: string, closesAt: string): OpeningHours => ({
  weekday,
  opensAt,
  closesAt,
});
const store = (hours: OpeningHours[], more: Partial<Store> = {}): Store => ({
  id: '0197a3c2-4be0-7c31-9a55-2f6d1f0c8e11',
  name: 'Harbour',
  address: 'Quay 1',
  latitude: null,
  longitude: null,
  geofenceRadiusMeters: 200,
  timeZone: 'Europe/Lisbon',
  status: 'ACTIVE',
  createdAt: new Date(),
  hours,
  ...more,
});

describe('hours', () => {
  test('are kept in the order of the week; ends may meet', () => {
    const hours = [
      on('TUESDAY', '14:00', '24:00'),
      on('MONDAY', '09:00', '12:00'),
      on('TUESDAY', '09:00', '14:00'),
    ];
    expect(checkHours('hours', hours)).toEqual([hours[1], hours[2], hours[0]]);
  });

  test.each([
    ['an hour that is none', [on('MONDAY', '9:00', '12:00')], 'hours.0.opensAt'],
    ['a minute that is none', [on('MONDAY', '09:00', '12:60')], 'hours.0.closesAt'],
    ['a day that starts at its end', [on('MONDAY', '24:00', '24:00')], 'hours.0.opensAt'],
    ['an end before the start', [on('MONDAY', '09:00', '09:00')], 'hours.0.closesAt'],
    ['an overlap', [on('MONDAY', '10:00', '12:00'), on('MONDAY', '09:00', '10:01')], 'hours.0'],
  ])('%s is refused', (_, hours, field) => {
    expect(() => checkHours('hours', hours)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field }), constructor: AppError }),
    );
  });
});

describe('a store', () => {
  const weekdays = store([
    on('FRIDAY', '09:00', '18:00'),
    on('FRIDAY', '22:00', '24:00'),
    on('SATURDAY', '00:00', '02:00'),
  ]);

  test.each([
    // Lisbon is at UTC in winter and at UTC+1 in summer.
    ['2026-03-06T09:00:00Z', true],
    ['2026-03-06T08:59:59Z', false],
    ['2026-03-06T17:59:59Z', true],
    ['2026-03-06T18:00:00Z', false],
    ['2026-07-03T08:00:00Z', true],
    ['2026-07-03T17:00:00Z', false],
    ['2026-03-06T23:59:59Z', true],
    ['2026-03-07T01:59:59Z', true],
    ['2026-03-07T02:00:00Z', false],
  ])('at %s is open: %s', (instant, isOpen) => {
    expect(isOpenAt(weekdays, new Date(instant))).toBe(isOpen);
  });

  test('whose hours or zone nobody knows is neither; one that is paused is closed', () => {
    const now = new Date('2026-03-06T10:00:00Z');
    expect(isOpenAt(store([]), now)).toBeNull();
    expect(isOpenAt({ ...weekdays, timeZone: null }, now)).toBeNull();
    expect(isOpenAt({ ...weekdays, status: 'PAUSED' }, now)).toBe(false);
  });
});
