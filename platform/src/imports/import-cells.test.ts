import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readInstant } from './import-cells.ts';
import { field, fieldSet } from './import-fields.ts';
import { jsonLayout } from './import-layout.ts';

const layout = jsonLayout({ set: fieldSet([field('at')]), mapping: {} });
const read = (at: string) => readInstant(layout.cellsOf({ row: 1, object: { at }, fault: null }), 0);

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
