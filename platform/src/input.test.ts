import { describe, expect, test } from '@jest/globals';
import { checkText, given } from './input.ts';

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
      details: { field: 'name' },
    };
    expect(() => checkText('name', text, 3)).toThrow(expect.objectContaining(refusal) as never);
  });
});

test('of what a client said only what is there counts, false and 0 and empty text included', () => {
  const said = { a: 0, b: '', c: false, d: null, e: undefined, f: [] };
  expect(given(said)).toEqual({ a: 0, b: '', c: false, f: [] });
  expect(Object.keys(given(said))).toEqual(['a', 'b', 'c', 'f']);
});
