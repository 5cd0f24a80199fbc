import { describe, expect, test } from '@jest/globals';
import { checkStorable, checkText, given } from './input.ts';

describe('text', () => {
  test('is kept trimmed, up to its greatest length', () => {
    expect(checkText('name', '  Ada \n', 3)).toBe('Ada');
    expect(checkText('name', 'line one\nline two\ttabbed', 100)).toBe('line one\nline two\ttabbed');
  });

  test.each([
    ['', 'name must not be empty.'],
    [' \t\n', 'name must not be empty.'],
    ['Adam', 'name must have at most 3 characters.'],
    ['A\u0000a', 'name must not contain control characters.'],
    ['A\u001ba', 'name must not contain control characters.'],
    ['A\u007fa', 'name must not contain control characters.'],
  ])('%j is refused by a sentence that begins with the field', (text, message) => {
    const refusal = {
      category: 'BAD_USER_INPUT',
      code: 'VALIDATION_FAILED',
      message,
      details: expect.objectContaining({ field: 'name' }),
    };
    expect(() => checkText('name', text, 3)).toThrow(expect.objectContaining(refusal) as never);
  });
});

test('of what a client said only what is there counts, false and 0 and empty text included', () => {
  const said = { a: 0, b: '', c: false, d: null, e: undefined, f: [] };
  expect(given(said)).toEqual({ a: 0, b: '', c: false, f: [] });
  expect(Object.keys(given(said))).toEqual(['a', 'b', 'c', 'f']);
});

describe('a value that nobody can store', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;

  test.each([
    ['input must not contain the character U+0000.', 'a\0'],
    ['input must not contain half of a surrogate pair; send whole characters.', '\ud800'],
    ['input.rows[1].name must not contain half of a surrogate pair', { rows: [1, { name: 'x\udfff' }] }],
    ['input.rows[0] must not contain the character U+0000.', { rows: [{ '\0': 1 }] }],
    ['input must be at most 32 levels deep.', deep],
    ['input must be at most 32 levels deep.', { a: { b: deep } }],
  ])('is refused by its place, case %#: %s', (message, value) => {
    expect(() => checkStorable('input', value)).toThrow(message);
  });

  test.each([
    ['null', null],
    ['undefined', undefined],
    ['a big integer', 1n],
    ['true', true],
    ['a character of two surrogates', '😀'],
    ['an object of lists', { a: [[], {}, null, 'é'] }],
  ])('is not %s', (_, value) => {
    expect(() => checkStorable('input', value)).not.toThrow();
  });
});
