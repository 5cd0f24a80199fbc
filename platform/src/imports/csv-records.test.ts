import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvParser, sniffCsv } from './csv-records.ts';
import { ndjsonParser } from './ndjson-records.ts';
import type { Parser, SourceRecord } from './records.ts';

/** Reads bytes in chunks of one size. */
function readAll(parser: Parser, bytes: Buffer, size = bytes.length || 1): SourceRecord[] {
  const records: SourceRecord[] = [];
  for (let at = 0; at < bytes.length; at += size) records.push(...parser.push(bytes.subarray(at, at + size)));
  return [...records, ...parser.end()];
}

const readCsv = (text: string | Buffer, size?: number) => {
  const bytes = Buffer.from(text as string);
  return readAll(csvParser(sniffCsv(bytes.toString('latin1', 0, 65_536))), bytes, size);
};
const cellsOf = (records: SourceRecord[]) => records.map(({ cells }) => cells);

describe('CSV', () => {
  test('reads whatever csv-parse reads, however the bytes are cut', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\n', '\r\n', 'é', '💶', '=') });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const file = fc.tuple(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
    );
    fc.assert(
      fc.property(file, fc.integer({ min: 1, max: 9 }), ([rows, newline, hasBom], size) => {
        const text = rows.map((cells) => cells.map(quoted).join(',')).join(newline);
        const bytes = Buffer.from(hasBom ? `\uFEFF${text}` : text);
        const expected = parse(bytes, { bom: true, relax_column_count: true, record_delimiter: newline });
        const read = readAll(csvParser({ delimiter: ',', newline: '\n' }), bytes, size);
        expect(cellsOf(read)).toEqual(expected);
        expect(read.map(({ row }) => row)).toEqual(rows.map((_, index) => index + 1));
      }),
      { numRuns: 300 },
    );
  });

  test('knows comma, semicolon and tab, line ends of every system, and a byte order mark', () => {
    for (const text of ['a,b\n1,2', '\uFEFFa;b\r\n1;2\r\n', 'a\tb\r1\t2\r', '"a";"b,c"\n1;2'])
      expect(cellsOf(readCsv(text)).at(-1)).toEqual(['1', '2']);
    expect(cellsOf(readCsv('\uFEFFa;b\n1;2', 1))[0]).toEqual(['a', 'b']);
  });

  test('rows count as in a spreadsheet: a cell of many lines is one, an empty line is one', () => {
    const rows = readCsv('a,b\n"one\ntwo",2\n\n3,4\n').map(({ row, cells }) => [row, cells?.length]);
    expect(rows).toEqual([
      [1, 2],
      [2, 2],
      [3, 1],
      [4, 2],
    ]);
  });

  test('an overlong line fails alone, in bounded memory', () => {
    const before = process.memoryUsage().rss;
    const parser = csvParser({ delimiter: ',', newline: '\n' });
    const records = [...parser.push(Buffer.from('a,b\n'))];
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 300; count += 1) records.push(...parser.push(megabyte));
    records.push(...parser.push(Buffer.from('\n1,2\n')), ...parser.end());
    expect(records.map(({ row, fault }) => [row, fault?.message ?? null])).toEqual([
      [1, null],
      [2, 'is longer than 1 MiB'],
      [3, null],
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2);
  });

  test('a quote that is never closed costs its own row', () => {
    const records = readCsv('a,b\n"1,2\n3,4\n5,6');
    expect(records.map(({ row, cells, fault }) => [row, cells, fault?.message ?? null])).toEqual([
      [1, ['a', 'b'], null],
      [2, [], 'opens a quote that is never closed'],
      [3, ['3', '4'], null],
      [4, ['5', '6'], null],
    ]);
  });

  test('text behind a closing quote, and bytes that are not UTF-8, are named by column', () => {
    const [, first, second, third] = readCsv(
      Buffer.concat([
        Buffer.from('a,b\n1,"2"x\n'),
        // A sequence of five bytes, which UTF-8 does not allow.
        Buffer.from([0x31, 0x2c, 0xf8, 0x88, 0x80, 0x80, 0x80, 0x0a]),
        Buffer.from('3,"a ""b"""'),
      ]),
    );
    expect(first!.fault).toMatchObject({ column: 1, message: 'has text after a closing quote' });
    expect(second!.fault).toMatchObject({ column: 1, message: 'holds bytes that are not UTF-8' });
    expect(third!.cells).toEqual(['3', 'a "b"']);
  });
});

test('JSON lines are read one by one; what is none fails alone', () => {
  const text = `\uFEFF{"a":1}\r\n[1]\n{"a"\n\n{"a":"${'x'.repeat(1024 * 1024)}"}\n{"a":2}`;
  for (const size of [1_000, text.length * 2]) {
    const records = readAll(ndjsonParser(), Buffer.from(text), size);
    expect(records.map(({ row, object, fault }) => [row, object, fault?.message ?? null])).toEqual([
      [1, { a: 1 }, null],
      [2, null, 'must be a JSON object'],
      [3, null, 'is not valid JSON'],
      [4, null, null],
      [5, null, 'is longer than 1 MiB'],
      [6, { a: 2 }, null],
    ]);
  }
});
