import { expect, test } from '@jest/globals';
import { inputOf, shownValue, typedValue } from './attribute-values.ts';

test.each([
  ['TEXT', 'oat milk', 'oat milk'],
  ['TEXT', null, ''],
  ['NUMBER', 2.5, 2.5],
  ['NUMBER', undefined, ''],
  ['BOOLEAN', false, 'false'],
  ['BOOLEAN', null, ''],
  ['DATE', '2026-03-01', '2026-03-01'],
  ['ENUM', 'tea', 'tea'],
  ['LIST', ['a', 'b'], ['a', 'b']],
  ['LIST', null, []],
] as const)('a %s of %j is typed as %j, and back', (type, value, input) => {
  const shown = inputOf({ type }, value);
  expect(shown).toEqual(input);
  expect(typedValue({ type }, shown)).toEqual(value ?? null);
});

test('values are shown as text', () => {
  expect([['a', 'b'], 3, false, null].map(shownValue)).toEqual(['a, b', '3', 'false', null]);
});
