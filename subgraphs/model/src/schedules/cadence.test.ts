import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cadence, checkCadence, nextRun } from './cadence.ts';

const cadence = (change: Partial<Cadence> = {}): Cadence => ({
  frequency: 'DAILY',
  time: '02:30',
  timezone: 'Europe/Lisbon',
  weekday: 1,
  monthDay: 1,
  minNewSamples: 50,
  ...change,
});
const next = (change: Partial<Cadence>, after: string) =>
  nextRun(cadence(change), new Date(after)).toISOString();

describe('a schedule runs', () => {
  test.each([
    ['daily, today', {}, '2026-11-23T01:00:00Z', '2026-11-23T02:30:00.000Z'],
    ['daily, tomorrow once it has run', {}, '2026-11-23T02:30:00Z', '2026-11-24T02:30:00.000Z'],
    [
      'weekly, later this week',
      { frequency: 'WEEKLY', weekday: 5 } as const,
      '2026-11-23T12:00:00Z',
      '2026-11-27T02:30:00.000Z',
    ],
    [
      'weekly, next week',
      { frequency: 'WEEKLY', weekday: 1 } as const,
      '2026-11-23T12:00:00Z',
      '2026-11-30T02:30:00.000Z',
    ],
    [
      'monthly, on the last day of a short month',
      { frequency: 'MONTHLY', monthDay: 31 } as const,
      '2027-02-01T00:00:00Z',
      '2027-02-28T02:30:00.000Z',
    ],
    [
      'monthly, on the leap day',
      { frequency: 'MONTHLY', monthDay: 30 } as const,
      '2028-02-01T00:00:00Z',
      '2028-02-29T02:30:00.000Z',
    ],
    [
      'by the day of its own time zone',
      { timezone: 'Pacific/Auckland', time: '00:15' },
      '2026-11-22T11:30:00Z',
      '2026-11-23T11:15:00.000Z',
    ],
    [
      'at the end of a gap that clocks skip',
      { timezone: 'America/New_York' },
      '2026-03-08T05:00:00Z',
      '2026-03-08T07:00:00.000Z',
    ],
    [
      'at the first of two times that clocks show',
      { timezone: 'America/New_York', time: '01:30' },
      '2026-11-01T04:00:00Z',
      '2026-11-01T05:30:00.000Z',
    ],
    [
      'once where clocks show its time twice',
      { timezone: 'America/New_York', time: '01:30' },
      '2026-11-01T05:30:00Z',
      '2026-11-02T06:30:00.000Z',
    ],
    [
      'at midnight where a day begins at one',
      { timezone: 'America/Havana', time: '00:00' },
      '2026-03-07T12:00:00Z',
      '2026-03-08T05:00:00.000Z',
    ],
  ])('%s', (_, change, after, expected) => {
    expect(next(change, after)).toBe(expected);
  });

  test('later than now, and at its time unless clocks skip that', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
    const minutes = fc.integer({ min: 0, max: 1_439 });
    fc.assert(
      fc.property(
        zones,
        minutes,
        fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY'),
        fc.integer({ min: 1, max: 31 }),
        fc.date({
          min: new Date('2020-01-01T00:00:00Z'),
          max: new Date('2035-01-01T00:00:00Z'),
          noInvalidDate: true,
        }),
        (timezone, minute, frequency, monthDay, after) => {
          const [hour, rest] = [Math.floor(minute / 60), minute % 60];
          const time = `${String(hour).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
          const run = nextRun(
            cadence({ timezone, time, frequency, monthDay, weekday: 1 + (monthDay % 7) }),
            after,
          );
          expect(run.getTime()).toBeGreaterThan(after.getTime());
          const days = { DAILY: 2, WEEKLY: 8, MONTHLY: 32 }[frequency];
          expect(run.getTime() - after.getTime()).toBeLessThan(days * 86_400_000);
          const shown = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'short' });
          const isSkipped = shown.format(run) !== time;
          if (isSkipped) expect(shown.format(run) > time).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test.each([
  [{ time: '24:00' }, 'cadence.time'],
  [{ time: '2:30' }, 'cadence.time'],
  [{ timezone: 'Lisbon' }, 'cadence.timezone'],
  [{ timezone: '+02:00' }, 'cadence.timezone'],
  [{ weekday: 0 }, 'cadence.weekday'],
  [{ weekday: 8 }, 'cadence.weekday'],
  [{ monthDay: 32 }, 'cadence.monthDay'],
  [{ minNewSamples: 0 }, 'cadence.minNewSamples'],
])('%j is refused by a sentence that names %s', (change, field) => {
  expect(() => checkCadence('cadence', cadence(change))).toThrow(new RegExp(`^${field} must`));
});
