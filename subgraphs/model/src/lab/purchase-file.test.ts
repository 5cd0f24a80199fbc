import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { calibrate, weighted } from './calibration.ts';
import { readDay, readPurchases } from './purchase-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'purchases-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(content: string): string {
  files += 1;
  const path = join(folder, `${files}.csv`);
  writeFileSync(path, content);
  return path;
}

const day = (text: string) => readDay(text)!;

test('purchases of one day are one, in order of days, and nobody is mixed up', () => {
  const path = fileOf(
    'member_id,date\nb,1997-01-03\na,1997-01-02T09:30:00Z\nb,19970101\nb,1997-01-03 10:00\n',
  );
  expect(readPurchases(path)).toEqual(
    new Map([
      ['b', [day('1997-01-01'), day('1997-01-03')]],
      ['a', [day('1997-01-02')]],
    ]),
  );
});

test('in the CDNOW sample it is the column sample_id that names customers', () => {
  const path = fileOf('master_id,sample_id,date,cds,dollars\n4,1,1997-01-01,2,29.33\n');
  expect([...readPurchases(path).keys()]).toEqual(['1']);
});

test('columns of other names are read where they are given', () => {
  const path = fileOf('who;id;when\nx;1;2020-02-29\n');
  expect(readPurchases(path, { id: ['nobody', 'who', 'id'], date: ['when'] })).toEqual(
    new Map([['x', [day('2020-02-29')]]]),
  );
});

describe('a sentence says what to do', () => {
  test.each<[string, string, RegExp]>([
    ['where a column is missing', 'a,b\n1,2\n', /has no column .*: choose one of a, b with --id\.$/],
    ['where a date is none', 'id,date\n1,2020-01-01\n1,2020-02-30\n', /row 3: give a customer, and a date/],
    ['where a customer is missing', 'id,date\n,2020-01-01\n', /row 2: give a customer/],
    ['where nothing is in the file', '', /is empty: give it a header and rows\.$/],
    ['where a quote stays open', 'id,date\n"1,2020-01-01', /row 2 opens a quote .*: repair it/],
  ])('%s', (_, content, sentence) => {
    expect(() => readPurchases(fileOf(content))).toThrow(sentence);
  });

  test('where the file is not there', () => {
    expect(() => readPurchases(join(folder, 'none.csv'))).toThrow(/cannot be read \(ENOENT\)/);
  });
});

test('calibration counts repeats until its end, the holdout what follows until its own', () => {
  const purchases = new Map([
    ['early', [0, 7, 21, 30, 44, 60]],
    ['once', [14]],
    ['too late', [29]],
  ]);
  expect(calibrate(purchases, { end: 28, holdoutEnd: 50, unit: 'weeks' })).toEqual([
    { customer: 'early', x: 2, tx: 3, t: 4, later: 2 },
    { customer: 'once', x: 0, tx: 0, t: 2, later: 0 },
  ]);
});

test('equal patterns become one of their weight', () => {
  const [one, other] = [
    { x: 1, tx: 2, t: 3 },
    { x: 1, tx: 2, t: 4 },
  ];
  expect(weighted([one, other, one], 0.5)).toEqual([
    { ...one, weight: 1 },
    { ...other, weight: 0.5 },
  ]);
});
