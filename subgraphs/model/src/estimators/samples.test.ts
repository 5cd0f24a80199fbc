import { describe, expect, test } from '@jest/globals';
import { predictable, testConfig } from '../pipelines/samples.fixture.ts';
import { readSamples } from './samples.ts';
import type { TrainingConfig, TrainingTask } from './training-request.ts';

const now = new Date('2026-06-01T00:00:00Z');
const good = predictable('return', { entities: 250, dates: 2 });
const lines = good.trim().split('\n');

const read = (content: string, task: TrainingTask = 'return', config: Partial<TrainingConfig> = {}) =>
  readSamples(task, { ...testConfig, ...config }, content, now);
const issuesOf = (...given: Parameters<typeof read>) =>
  read(...given).issues.map(({ row, column, message }) => `${row} ${column} ${message}`);

/** Returns the valid file with a cell of a row replaced; row 0 is the header. */
const withCell = (row: number, place: number, cell: string): string =>
  lines
    .map((line, index) => {
      const cells = line.split(',');
      if (index === row) cells[place] = cell;
      return cells.join(',');
    })
    .join('\n');

/** Returns the valid file with a column replaced. */
const withColumn = (place: number, cellOf: (row: number) => string): string =>
  lines
    .map((line, row) =>
      row === 0
        ? line
        : [...line.split(',')].map((cell, at) => (at === place ? cellOf(row) : cell)).join(','),
    )
    .join('\n');

test('samples are read in the order of their dates and ids, features in that of their names', () => {
  const { issues, sampleCount, samples } = read(good);
  expect(issues).toEqual([]);
  expect(sampleCount).toBe(500);
  expect(samples!.ids.slice(0, 3)).toEqual(['s-0-0', 's-1-0', 's-10-0']);
  expect(samples!.asOf[250]).toBe(Date.parse('2025-01-31T00:00:00Z'));
  expect(samples!.featureNames).toEqual(['f_a', 'f_b', 'f_c', 'f_noise']);
  expect(samples!.features).toMatchObject({ count: 500, width: 4 });
});

test('an empty feature is missing, and other spellings of CSV are read', () => {
  const { samples } = read(`\uFEFF${withCell(1, 5, '').replaceAll('\n', '\r\n')}`);
  expect(samples!.features.values[0]).toBeNaN();
  expect(read(good.replaceAll(',', ';')).issues).toEqual([]);
});

test.each([
  ['a text', 6, 'many', '2 f_b must be a finite number or empty'],
  ['infinity', 6, '1e999', '2 f_b must be a finite number or empty'],
  ['a hexadecimal number', 6, '0x10', '2 f_b must be a finite number or empty'],
  ['a number whose square is infinite', 6, '1e308', '2 f_b must be between -1e100 and 1e100'],
  ['one of the other sign', 6, '-1.1e100', '2 f_b must be between -1e100 and 1e100'],
  ['no label', 4, '2', '2 target must be 0 or 1'],
  ['no id', 0, '', '2 sample_id must have 1 to 200 characters'],
  ['a duplicate id', 0, 's-0-0', '2 sample_id is that of row 1, too'],
  ['no day of the calendar', 2, '2025-02-30', '2 as_of must be a date or an instant of ISO 8601'],
  ['an instant without a zone', 3, '2025-03-02T00:00:00', '2 label_end must be a date or an instant'],
  ['a wrong horizon', 3, '2025-03-03', '2 label_end must be 30 days after as_of'],
  ['a shared entity and date', 2, '2025-01-01', '2 entity_id has the same as_of in row 1, too'],
])('%s in a cell is an issue of its row and column', (_name, place, cell, message) => {
  expect(issuesOf(withCell(2, place, cell)).join('; ')).toContain(message);
});

test('a label that is not complete yet is an issue', () => {
  const [, first] = lines;
  const late = withCell(1, 2, '2026-05-15').split('\n');
  late[1] = late[1]!.replace(first!.split(',')[3]!, '2026-06-14');
  expect(issuesOf(late.join('\n'))).toEqual(['1 label_end lies in the future: the label is not known yet']);
});

test.each([
  [
    'a missing column',
    0,
    'sample',
    ['0 sample_id is missing', '0 sample is not known: features are called f_<name>'],
  ],
  ['a column twice', 6, 'f_a', ['0 f_a occurs twice']],
  ['a malformed feature name', 6, 'f_b c', ['0 f_b c must be f_ and 1 to 62 letters, digits or _ . -']],
])('%s in the header is an issue of row 0', (_name, place, cell, messages) => {
  expect(issuesOf(withCell(0, place, cell))).toEqual(messages);
});

test('no features, and more than 64, are refused', () => {
  const without = lines.map((line) => line.split(',').slice(0, 5).join(',')).join('\n');
  expect(issuesOf(without)).toEqual(['0 f_ has 0 columns, 1 to 64 are needed']);
  const many = lines.map(
    (line, row) => line + Array.from({ length: 61 }, (_, n) => (row ? ',1' : `,f_x${n}`)).join(''),
  );
  expect(issuesOf(many.join('\n'))).toEqual(['0 f_ has 65 columns, 1 to 64 are needed']);
});

test('a constant column is refused, one that is constant or empty is not', () => {
  expect(issuesOf(withColumn(7, () => '1'))).toEqual(['0 f_c is the same in all rows']);
  expect(issuesOf(withColumn(7, () => ''))).toEqual(['0 f_c is the same in all rows']);
  expect(issuesOf(withColumn(7, (row) => (row % 2 ? '1' : '')))).toEqual([]);
});

test('too few entities or labels are refused', () => {
  const few = predictable('return', { entities: 150, dates: 4 });
  expect(issuesOf(few)).toEqual(['0 entity_id has 150 independent entities, at least 200 are needed']);
  expect(issuesOf(withColumn(4, (row) => (row < 20 ? '1' : '0')))).toEqual([
    '0 target is 1 in 19 rows, at least 20 are needed',
  ]);
});

describe('a row that is no CSV', () => {
  test('of another length, or with an open quote, is an issue of its own', () => {
    expect(issuesOf(`${good}more,cells\n`)).toEqual(['501  has 2 cells, the header has 9']);
    expect(issuesOf(`${good}"open,1\n`)[0]).toContain('501 ');
  });

  test('of an empty file is one issue', () => {
    expect(issuesOf('\n\n')).toEqual(['0  the file is empty: it needs a header and rows']);
  });
});

describe('the grammar of targets', () => {
  const item = predictable('item', { entities: 250, dates: 2 });
  const withTarget = (target: string) => item.replace(/,item-\d,/, `,${target},`);

  test.each(['tea 1', '', 'a'.repeat(65), 'tee|milk'])('an item is one key, and %j is none', (target) => {
    expect(issuesOf(withTarget(target), 'item')[0]).toContain('1 target must be one key');
    expect(issuesOf(withTarget('Tea.1_2:x-y'), 'item')).toEqual([]);
  });

  const basket = predictable('basket', { entities: 250, dates: 2 });
  const withBasket = (target: string) => basket.replace(/,item-[^,]+,/, `,${target},`);

  test.each([
    ['one', 'must have 2 to 10 keys'],
    ['a|b|', 'must be keys of 1 to 64 of the characters'],
    ['b|a', 'must have its keys in order'],
    ['a|a', 'names a key twice'],
    ['a|b|c|d|e|f|g|h|i|j|k', 'must have 2 to 10 keys'],
  ])('a basket %j %s', (target, message) => {
    expect(issuesOf(withBasket(target), 'basket')[0]).toContain(`1 target ${message}`);
    expect(issuesOf(withBasket('a|b'), 'basket')).toEqual([]);
  });

  test('one target in all rows says nothing', () => {
    const same = item.replace(/,item-\d,/g, ',tea,');
    expect(issuesOf(same, 'item')).toEqual(['0 target is the same in all rows']);
  });
});

test('a tier needs the version of its rules, every task a horizon of whole days', () => {
  expect(issuesOf(good, 'tier', { ruleVersion: ' ' })[0]).toContain('needs the ruleVersion');
  expect(issuesOf(good, 'return', { horizon: 0 })[0]).toContain('needs a horizon of 1 to 730 whole days');
});

test('at most 100 issues are listed', () => {
  expect(read(withColumn(4, () => 'x')).issues).toHaveLength(100);
});
