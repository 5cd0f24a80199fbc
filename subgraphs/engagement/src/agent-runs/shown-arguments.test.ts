import { expect, test } from '@jest/globals';
import { shownArguments } from './shown-arguments.ts';

const ID = '0198c5f0-0000-7000-8000-000000000000';

test.each([
  ['an id', ID],
  ['a number', 12.5],
  ['a flag', false],
  ['nothing', null],
  ['a list of these', [ID, 3, true]],
])('%s stays in the log of a run', (_, value) => {
  expect(shownArguments({ value })).toEqual({ value });
});

test.each([
  ['a name', 'Maria'],
  ['a name in capitals', 'MARIA'],
  ['a birthday', '1990-05-01'],
  ['a phone number', '+351912345678'],
  ['an object, whose names callers choose', { Maria: 1 }],
])('%s is left out of it, in lists, too', (_, value) => {
  expect(shownArguments({ value, list: [ID, value] })).toEqual({ value: '…', list: [ID, '…'] });
});

test('a name that no argument has is left out, and what is long is cut', () => {
  expect(shownArguments({ 'Maria Silva': 1 })).toEqual({ '…': 1 });
  const long = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`a${index}`, index]));
  expect(Object.keys(shownArguments(long))).toHaveLength(20);
  expect(shownArguments({ list: Array(30).fill(1) })).toEqual({ list: Array(20).fill(1) });
});
