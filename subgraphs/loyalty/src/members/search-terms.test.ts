import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { searchedTerms, termsOf } from './search-terms.ts';

const key = createSecretKey(randomBytes(32));
const other = createSecretKey(randomBytes(32));

const finds = (text: string, name: string | null, phone: string | null = null): boolean => {
  const terms = new Set(termsOf(key, 'LIVE', { name, phone }));
  const searched = searchedTerms([key], 'LIVE', text);
  return searched.length > 0 && searched.every((term) => term.some((hash) => terms.has(hash)));
};

test.each([
  ['joa', 'João Sá'],
  ['JOÃO', 'joao'],
  ['Sá', 'João Sá'],
  ['lópez mar', 'María José Lopez'],
  ['søren', 'SOREN Åberg'],
  ['strasse', 'Straße'],
  ['Παπάς', 'ΠΑΠΑΣ Γιώργος'],
  ['王芳', '王芳'],
  ['김민', '김민수'],
  ['brien', "O'Brien"],
  ['wolfeschlegelsteinhausenberger', 'Wolfeschlegelsteinhausenbergerdorff'],
  ['ana de sousa', 'Ana Sousa'],
])('“%s” finds %s', (text, name) => expect(finds(text, name)).toBe(true));

test.each([
  ['jo', 'João'],
  ['oão', 'João'],
  ['ana silva', 'Ana Costa'],
  ['joanna', 'Joana'],
  ['', 'Ana'],
  ['--', 'Ana'],
])('“%s” does not find %s', (text, name) => expect(finds(text, name)).toBe(false));

test.each(['+351 912-345-678', '00351912345678', '912 345 678', '(912) 345.678', '345678', '5678'])(
  'a phone is found as “%s”, with and without its country',
  (text) => {
    expect([finds(text, null, '+351912345678'), finds(text, null, '912345678')]).toEqual([true, true]);
  },
);

test.each(['678', '9123', '912345679', '912 345'])('no phone is found by “%s”', (text) => {
  expect(finds(text, null, '+351912345678')).toBe(false);
});

test('words and digits must all be of the member', () => {
  expect(finds('ana 5678', 'Ana Sá', '912345678')).toBe(true);
  expect(finds('ana 5679', 'Ana Sá', '912345678')).toBe(false);
});

test('terms differ by key and by mode, and repeat nothing', () => {
  const member = { name: 'Ana Ana', phone: '912345678' };
  const of = (...[by, mode]: [typeof key, 'LIVE' | 'TEST']) => termsOf(by, mode, member);
  const all = [...of(key, 'LIVE'), ...of(key, 'TEST'), ...of(other, 'LIVE')];
  expect(all).toHaveLength(3 * 7);
  expect(new Set(all).size).toBe(all.length);
});

test('a text is looked for by every key that the workspace has had', () => {
  const [searched] = searchedTerms([other, key], 'LIVE', 'Ana');
  const member = { name: 'Ana', phone: null };
  expect(searched).toEqual([...termsOf(other, 'LIVE', member), ...termsOf(key, 'LIVE', member)]);
});
