import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { indistinctMembers } from '../alignment/generated-histories.fixture.ts';
import { figuresOf, liftOf } from './method-figures.ts';
import { type CustomerHistory, exampleOrders, readHistories } from './order-history.ts';
import { judgeWindows, METHODS } from './rolling-windows.ts';

const folder = mkdtempSync(join(tmpdir(), 'loyalty-evaluate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const command = fileURLToPath(new URL('./model-evaluate.ts', import.meta.url));
const run = (...args: string[]) => spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' });

describe('the example', () => {
  const orders = join(folder, 'orders.csv');
  const page = join(folder, 'evaluation.html');
  let printed: string;
  beforeAll(() => {
    expect(run('--example', orders)).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = run(orders, '--cutoffs', '2', '--html', page);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^1500 customers\nwindow 1 of at most 2/)]);
    printed = stdout;
  });

  test('prints what its page shows', () => {
    const page = readFileSync(new URL('../../../../docs/prediction-quality.md', import.meta.url), 'utf8');
    const [, shown] = /```text\n(2 windows: .*?)```/s.exec(page) ?? [];
    expect(shown).toBeDefined();
    expect(printed).toContain(shown);
  });

  test('shows that the aligned head finds the rhythm that the process has', () => {
    const histories = readHistories(file('again.csv', exampleOrders()), null);
    const options = { target: 'purchase', horizon: 30, cutoffs: 1 } as const;
    const { methods } = figuresOf(
      '',
      judgeWindows(histories, options, () => undefined),
    );
    const [standard, aligned] = methods;
    expect(aligned!.auc.low).toBeGreaterThan(standard!.auc.high);
    expect(aligned!.brierSkill!.low).toBeGreaterThan(standard!.brierSkill!.high);
    expect(aligned!.ece!).toBeLessThan(0.05);
  });

  test('writes a page with every method, without scripts', () => {
    const html = readFileSync(page, 'utf8');
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).not.toContain('<script');
    for (const name of ['standard model', 'aligned head', 'BG/NBD, fitted', 'RFM logistic'])
      expect(html).toContain(`<td>${name}</td>`);
    expect(html.match(/<svg/g)).toHaveLength(3);
  });
});

describe('what is fitted', () => {
  const histories: readonly CustomerHistory[] = readHistories(file('own.csv', exampleOrders()), null).slice(
    0,
    500,
  );
  const options = { target: 'purchase', horizon: 30, cutoffs: 1 } as const;
  const judged = (of: readonly CustomerHistory[]) => judgeWindows(of, options, () => undefined)[0]!;

  test('knows nothing of the window that is judged', () => {
    const last = Math.max(...histories.map(({ purchaseDays }) => purchaseDays.at(-1)!));
    // The orders in the judged window change; one customer keeps the last day.
    const changed = histories.map((history, place) => ({
      ...history,
      purchaseDays: history.purchaseDays.filter((day) => day <= last - 30 || place % 2 === 0 || day === last),
    }));
    const [before, after] = [judged(histories), judged(changed)];
    expect([...after.labels]).not.toEqual([...before.labels]);
    for (const method of ['standard', 'bg_nbd', 'rfm', 'recency', 'frequency'] as const)
      expect(after.scores[method]).toEqual(before.scores[method]);
  });

  test('says the opposite about churn', () => {
    const [purchase] = judgeWindows(histories, options, () => undefined);
    const [churn] = judgeWindows(histories, { ...options, target: 'churn' }, () => undefined);
    expect([...churn!.labels]).toEqual([...purchase!.labels].map((label) => 1 - label));
    const [one, other] = [purchase!, churn!].map((window) => figuresOf('', [window]).methods);
    for (const place of METHODS.keys())
      expect(other![place]!.auc.value).toBeCloseTo(one![place]!.auc.value, 1);
  });
});

test('on customers who all buy alike no method is better than chance', () => {
  const { histories } = indistinctMembers({ members: 800, days: 300, seed: 3 });
  const customers = histories.map((history, place) => ({
    ...history,
    customer: `c${place}`,
    amounts: history.purchaseDays.map(() => 10),
  }));
  const options = { target: 'purchase', horizon: 30, cutoffs: 2 } as const;
  const { methods } = figuresOf(
    '',
    judgeWindows(customers, options, () => undefined),
  );
  expect(methods).toHaveLength(METHODS.length);
  for (const { auc } of methods) expect(auc.low).toBeLessThanOrEqual(0.51);
});

test('the lift is the rate of the best tenth as a multiple of the rate of all', () => {
  const labels = Uint8Array.from({ length: 40 }, (_, row) => (row < 2 || row === 20 || row === 30 ? 1 : 0));
  const scores = Float64Array.from({ length: 40 }, (_, row) => -row);
  expect(liftOf(scores, labels)(null)).toBeCloseTo(0.5 / 0.1, 12);
});

test.each([
  ['no file', [], 2, /^Name a file of orders/],
  ['an unknown option', ['--what'], 2, /Unknown option '--what'/],
  [
    'a horizon that is no number',
    ['x.csv', '--horizon', 'a'],
    2,
    /--horizon must be a whole number from 1 to 365/,
  ],
  ['another target', ['x.csv', '--target', 'return'], 2, /--target must be purchase or churn/],
  ['a file that is not there', ['/nowhere.csv'], 1, /cannot be read \(ENOENT\)/],
  ['no column of a date', [file('a.csv', 'customer,when\nc1,2026-01-01\n')], 1, /has no column date/],
  [
    'a date that is none',
    [file('b.csv', 'customer,date\nc1,yesterday\n')],
    1,
    /row 2: give a customer, and a date/,
  ],
  [
    'an amount that is none',
    [file('c.csv', 'customer,date,amount\nc1,2026-01-01,much\n')],
    1,
    /amount must be a number/,
  ],
  ['too little history', [file('d.csv', 'customer,date\nc1,2026-01-01\n')], 1, /too little history/],
] as const)('%s is refused with one sentence', (_, args, status, sentence) => {
  const refused = run(...args);
  expect([refused.status, refused.stdout]).toEqual([status, '']);
  expect(refused.stderr.replace(/^\d+ customers\n/, '')).toMatch(sentence);
  expect(refused.stderr).not.toContain('    at ');
});
