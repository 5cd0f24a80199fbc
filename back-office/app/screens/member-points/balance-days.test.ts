import { expect, test } from '@jest/globals';
import { balanceByDay } from './balance-days.ts';

const entry = (createdAt: string, amount: number, balanceAfter: number) => ({
  createdAt,
  amount,
  balanceAfter,
});

/** The newest first, as the ledger lists them. */
const ledger = [
  entry('2026-03-04T10:00:00Z', -30, 90),
  entry('2026-03-02T23:30:00Z', 100, 120),
  entry('2026-03-02T09:00:00Z', 10, 20),
  entry('2026-02-01T09:00:00Z', 10, 10),
];
const range = { from: '2026-03-01', to: '2026-03-05', timeZone: 'UTC', isCut: false };

test('each day has the balance that it ended with, and days without an entry that of the day before', () => {
  expect(balanceByDay(ledger, range)).toEqual({
    dates: ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'],
    values: [10, 120, 120, 90, 90],
  });
});

test('days are those of the time zone', () => {
  expect(balanceByDay(ledger, { ...range, timeZone: 'Asia/Tokyo' }).values).toEqual([10, 20, 120, 90, 90]);
});

test('before the first entry there were no points', () => {
  expect(balanceByDay(ledger.slice(0, 3), range).values).toEqual([10, 120, 120, 90, 90]);
  expect(balanceByDay([entry('2026-03-04T10:00:00Z', 5, 5)], range).values).toEqual([0, 0, 0, 5, 5]);
});

test('where older entries are not known, the days begin with the oldest one that is', () => {
  expect(balanceByDay(ledger.slice(0, 2), { ...range, isCut: true })).toEqual({
    dates: ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'],
    values: [120, 120, 90, 90],
  });
});
