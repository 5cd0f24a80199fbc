import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { changedValues, numberRules, optionalNumber, requiredNumber } from './typed-values.ts';

test.each([
  ['', null],
  [' ', null],
  ['-', null],
  ['1e999', null],
  [0, 0],
  ['0', 0],
  [1.5, 1.5],
  ['-20', -20],
] as const)('%j is read as %j, so that an emptied input is never 0', (typed, number) => {
  expect(optionalNumber(typed)).toBe(number);
});

test('an emptied input that needs a number is refused at the input, and cannot be sent', () => {
  const { required, positive, notZero } = numberRules((key) => key);
  for (const rule of [required, positive, notZero]) expect(rule('')).toBe('form.required');
  expect([required(0), positive(0.1), notZero(-1)]).toEqual([null, null, null]);
  expect([positive(0), positive(-0), positive(-1), notZero(0)]).toEqual([
    ...['form.positive', 'form.positive', 'form.positive'],
    'form.notZero',
  ]);
  const { between } = numberRules((key) => key);
  expect(['', 0.9, 1, 10, 10.1].map(between(1, 10))).toEqual([
    'form.required',
    'form.between',
    null,
    null,
    'form.between',
  ]);
  expect(() => requiredNumber('')).toThrow('a number is missing');
});

test('every number is typed into a NumberField, and no form converts it in another way', () => {
  const app = join(import.meta.dirname, '..');
  const filesWith = (pattern: RegExp) =>
    globSync('**/*.tsx', { cwd: app }).filter((file) => pattern.test(readFileSync(join(app, file), 'utf8')));
  expect(filesWith(/<NumberInput\b/)).toEqual([join('fields', 'number-field.tsx')]);
  const forms = filesWith(/<NumberField\b/);
  expect(forms.length).toBeGreaterThanOrEqual(8);
  const converting = forms.filter((file) =>
    /\b(Number|parseInt|parseFloat)\(/.test(readFileSync(join(app, file), 'utf8')),
  );
  expect(converting).toEqual([]);
});

test.each([
  [{ name: 'Gold', rank: 2 }, { name: 'Gold', rank: 2 }, {}],
  [{ name: 'Gold', rank: 2 }, { name: 'Golden', rank: 2 }, { name: 'Golden' }],
  [{ days: 30 as number | null }, { days: null }, { days: null }],
])('of %j changed to %j only %j is sent', (before, after, sent) => {
  expect(changedValues<object>(after, before)).toEqual(sent);
});
