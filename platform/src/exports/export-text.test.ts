import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { headOf, linesOf } from './export-text.ts';

const columns = ['id', 'text', 'number'];
const at = new Date('2026-11-28T10:00:00.000Z');

test('a file of CSV is read back as it was written, whatever the texts are', () => {
  // Formulas are excluded because they are changed on purpose, and halves of characters because they are not
  // valid text.
  const text = fc.string({ unit: 'grapheme' }).filter((each) => !/^[=+\-@\t\r]/.test(each));
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text, fc.integer())), (rows) => {
      const file = headOf('CSV', columns) + linesOf('CSV', columns, rows);
      expect(parse(file, { bom: true })).toEqual([columns, ...rows.map((row) => row.map(String))]);
    }),
  );
});

test('a text that a spreadsheet would run begins with an apostrophe; numbers stay numbers', () => {
  const texts = ['=1+1', '+351912345678', '-1', '@SUM(A1)', '\t=1', '\r=1'];
  const rows = texts.map((each) => ['a', each, -5]);
  const read = parse(linesOf('CSV', columns, rows));
  expect(read).toEqual(texts.map((each) => ['a', `'${each}`, '-5']));
});

test('cells are written as text: times, objects, truth, large numbers and nothing', () => {
  const cells = [at, { size: 4 }, true, 9_007_199_254_740_993n, null, [1]];
  const names = ['at', 'object', 'truth', 'large', 'nothing', 'list'];
  expect(linesOf('CSV', names, [cells])).toBe(
    '2026-11-28T10:00:00.000Z,"{""size"":4}",true,9007199254740993,,[1]\r\n',
  );
  expect(linesOf('JSON_LINES', names, [cells])).toBe(
    '{"at":"2026-11-28T10:00:00.000Z","object":{"size":4},"truth":true,' +
      '"large":"9007199254740993","nothing":null,"list":[1]}\n',
  );
});

test('JSON Lines begin with the first row, and keep texts as they are', () => {
  expect(headOf('JSON_LINES', columns)).toBe('');
  expect(JSON.parse(linesOf('JSON_LINES', columns, [['a', '=1+1', 7n]]))).toEqual({
    ...{ id: 'a', text: '=1+1', number: 7 },
  });
});
