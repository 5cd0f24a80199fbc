import { expect, test } from '@jest/globals';
import { checkPassword } from './password-rules.ts';

const passwordOf = (length: number): string => [...'abc🔑'.repeat(60)].slice(0, length).join('');
const check = (length: number) => checkPassword('password', passwordOf(length), null);

test.each([10, 200])('a password may have %i characters, of whatever bytes', (length) => {
  expect(() => check(length)).not.toThrow();
});

test.each([9, 201])('a password of %i characters is refused', (length) => {
  expect(() => check(length)).toThrow('password must have 10 to 200 characters.');
});

test('a password has three different characters at least', () => {
  expect(() => checkPassword('password', 'ababababab', null)).toThrow('too common');
  expect(() => checkPassword('password', 'abcabcabca', null)).not.toThrow();
});
