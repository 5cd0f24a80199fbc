import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { cdnow } from './cdnow.fixture.ts';
import { goldenAgreement } from './golden-agreement.ts';
import { isOff } from './published-figures.ts';
import { simulateMbgNbd } from './simulated-customers.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'model-fit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const scripts = {
  'model-fit': './model-fit.ts',
  'model-validate': './model-validate.ts',
} as const;

function run(script: keyof typeof scripts, ...args: string[]) {
  const file = fileURLToPath(new URL(scripts[script], import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

function fileOf(name: string, rows: readonly (readonly unknown[])[]): string {
  const path = join(folder, name);
  writeFileSync(path, rows.map((cells) => `${cells.join(',')}\n`).join(''));
  return path;
}

/** The repeats of a simulated customer are distributed evenly up to the last one: the models use no more. */
function purchaseFile(name: string, size: number, parameters: readonly number[]): string {
  const end = Date.UTC(2026, 5, 30) / DAY_MS;
  const customers = simulateMbgNbd({ seed: 11, size, watched: [200, 900], ahead: 0 }, parameters);
  const rows = customers.flatMap(({ x, tx, t }, id) =>
    Array.from({ length: x + 1 }, (_, index) => {
      const day = Math.round(end - t) + Math.round(x === 0 ? 0 : (tx * index) / x);
      return [id, new Date(day * DAY_MS).toISOString().slice(0, 10)];
    }),
  );
  return fileOf(name, [['customer_id', 'date'], ...rows]);
}

test('a fit finds what made the purchases of a file, and writes it down', () => {
  const out = join(folder, 'parameters.json');
  const file = purchaseFile('one.csv', 2_000, [0.6, 60, 0.8, 3]);
  const { status, stdout } = run('model-fit', file, '--calibration-end', '2026-06-30', '--out', out);
  expect(status).toBe(0);
  expect(stdout).toContain('2000 customers until 2026-06-30');
  const { unit, customers, models } = JSON.parse(readFileSync(out, 'utf8'));
  expect({ unit, customers, names: Object.keys(models) }).toEqual({
    unit: 'days',
    customers: 2_000,
    names: ['BG/NBD', 'MBG/NBD', 'Pareto/NBD'],
  });
  const { r, alpha, a, b } = models['MBG/NBD'];
  for (const share of [r / 0.6, alpha / 60, a / 0.8, b / 3])
    expect(Math.abs(Math.log(share))).toBeLessThan(0.5);
});

test('with equal weight a small file counts as much as a large one', () => {
  const [large, small] = [
    purchaseFile('large.csv', 1_200, [0.6, 60, 0.8, 3]),
    purchaseFile('small.csv', 300, [2, 20, 0.8, 3]),
  ];
  const rates = [[], ['--equal-weight']].map((options) => {
    const out = join(folder, 'weights.json');
    run('model-fit', large, small, '--calibration-end', '2026-06-30', '--out', out, ...options);
    const { r, alpha } = JSON.parse(readFileSync(out, 'utf8')).models['MBG/NBD'];
    return r / alpha;
  });
  expect(rates[1]! / rates[0]!).toBeGreaterThan(1.3);
});

test.each<[string, string[], RegExp]>([
  ['no file', [], /^Name a CSV file of purchases/],
  ['a file that is not there', [join(folder, 'none.csv')], /cannot be read \(ENOENT\): name a CSV file/],
  ['an unknown unit', ['a.csv', '--unit', 'years'], /^--unit must be days or weeks\./],
  ['a day that is none', ['a.csv', '--calibration-end', 'soon'], /^--calibration-end must be a date/],
  [
    'more ends than files',
    ['a', '--calibration-end', '20200101', '--calibration-end', '20200102'],
    /as often as/,
  ],
  ['an unknown option', ['--faster'], /see npm run model -- fit --help\./],
])('a fit answers %s with a sentence', (_, args, sentence) => {
  const { status, stderr } = run('model-fit', ...args);
  expect(status).toBe(1);
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toContain('    at ');
});

test('--help of both says how they are called', () => {
  for (const script of ['model-fit', 'model-validate'] as const) {
    const { status, stdout } = run(script, '--help');
    expect({ status, isNamed: stdout.includes(`npm run ${script.replace('-', ' -- ')} `) }).toEqual({
      status: 0,
      isNamed: true,
    });
  }
});

test('a validation ends with 1 for purchases that are not those of the publications', () => {
  const rows = Array.from({ length: 60 }, (_, row) => [row % 20, `1997-0${1 + (row % 9)}-${10 + (row % 7)}`]);
  const { status, stdout } = run('model-validate', fileOf('other.csv', [['sample_id', 'date'], ...rows]));
  expect(status).toBe(1);
  expect(stdout).toMatch(/sample customers .*published +2357 +ours +20 +OFF/);
});

const columns = [
  'x,tx_weeks,T_weeks,bg_loglik,bg_p_alive,bg_EY39w,tx_days,T_days,',
  'std_p_alive,std_p_purchase_30d,std_p_longgap_90d,std_gap_survival,std_EY30d',
].join('');

test('figures per customer agree to 1e-9, and a wrong one is reported', () => {
  const right = goldenAgreement(fileOf('right.csv', [[columns], ...cdnow]));
  expect(right).toHaveLength(8);
  for (const { relative } of right) expect(relative).toBeLessThan(1e-9);
  const wrong = goldenAgreement(
    fileOf('wrong.csv', [[columns], ...cdnow.map((row, at) => (at === 7 ? row.with(-1, 0.5) : row))]),
  );
  expect(wrong.filter(({ relative }) => relative > 1e-9).map(({ column }) => column)).toEqual(['std_EY30d']);
});

test.each([
  ['4.414', 4.4135, false],
  ['4.414', 4.4151, true],
  ['-9582.4', -9582.4292, false],
  ['1411', 1411, false],
  ['1411', 1412, true],
  ['.626', Number.NaN, true],
])('%s beside %d is off: %s', (published, ours, off) => {
  expect(isOff({ name: 'a figure', published, ours })).toBe(off);
});
