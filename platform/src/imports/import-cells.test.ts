import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readInstant, readJson, readText } from './import-cells.ts';
import { field, fieldSet } from './import-fields.ts';
import { jsonLayout } from './import-layout.ts';

const layoutIn = (timeZone: string) => jsonLayout({ set: fieldSet([field('at')]), mapping: {}, timeZone });
const readIn = (timeZone: string) => {
  const layout = layoutIn(timeZone);
  return (at: string) => readInstant(layout.cellsOf({ row: 1, object: { at }, fault: null }), 0);
};
const read = readIn('UTC');

test('an instant is read as it was written, with and without milliseconds', () => {
  const instant = fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(instant, (at) => {
      const text = at.toISOString();
      const seconds = `${text.slice(0, 19)}Z`;
      expect([read(text), read(seconds)]).toEqual([text, seconds.replace('Z', '.000Z')]);
    }),
  );
});

test.each([
  ['2026-03-02', '2026-03-02T00:00:00.000Z'],
  ['2026-03-02 10:00', '2026-03-02T10:00:00.000Z'],
  ['2026-03-02T10:00:00.5+02:00', '2026-03-02T08:00:00.500Z'],
  ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00.000Z'],
  ['2026-02-29T10:00:00Z', null],
  ['2026-13-01T10:00:00Z', null],
  ['2026-03-02T25:00:00Z', null],
  ['2026-03-02T10:60:00Z', null],
  ['02.03.2026', null],
])('%s is read as %s', (text, instant) => {
  expect(read(text)).toBe(instant);
});

test.each([
  ['Europe/Lisbon', '2026-07-01', '2026-06-30T23:00:00.000Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  // Clocks go forward at midnight: the day begins at 01:00.
  ['America/Santiago', '2025-09-07', '2025-09-07T04:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  // Clocks go back at midnight: 00:00 occurs twice, and the day begins with the first.
  ['America/Havana', '2025-11-02', '2025-11-02T04:00:00.000Z'],
  // Clocks go back from midnight to 23:00 of the previous day.
  ['America/Santiago', '2025-04-06', '2025-04-06T04:00:00.000Z'],
  ['Asia/Kathmandu', '2026-01-15', '2026-01-14T18:15:00.000Z'],
  // A skipped day begins where the next day begins.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
])('in %s the day %s begins at %s', (timeZone, day, start) => {
  expect(readIn(timeZone)(day)).toBe(start);
});

test('a time without an offset is UTC, wherever the workspace is', () => {
  const inLisbon = readIn('Europe/Lisbon');
  expect([inLisbon('2026-07-01 10:00'), inLisbon('2026-07-01T10:00:00+02:00')]).toEqual([
    '2026-07-01T10:00:00.000Z',
    '2026-07-01T08:00:00.000Z',
  ]);
});

test('text that nobody can store costs its row, as a cell and within JSON', () => {
  const rules = (at: unknown, readCell: typeof readText | typeof readJson) => {
    const cells = layoutIn('UTC').cellsOf({ row: 1, object: { at }, fault: null });
    readCell(cells, 0, 100);
    return cells.issues?.map(({ severity, message }) => `${severity} ${message}`) ?? [];
  };
  const half = 'ERROR at must not contain half of a surrogate pair; send whole characters.';
  expect(rules('Ann\ud800', readText)).toHaveLength(1);
  expect(rules({ size: ['\udc00'] }, readJson)).toEqual([half]);
  expect(rules('{"size":"\\ud800"}', readJson)).toEqual([half]);
  expect(rules('{"size":"\\u0000"}', readJson)).toEqual(['ERROR at must not contain the character U+0000.']);
  expect(rules('{"size":"😀"}', readJson)).toEqual([]);
});
