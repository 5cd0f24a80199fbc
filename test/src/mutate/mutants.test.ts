import { expect, test } from '@jest/globals';
import { mutantsOf, withMutant } from './mutants.ts';

const source = [
  "import { a } from 'b';",
  '// a < b && c',
  'if (a < b && !c) return [x, true];',
  '`UPDATE t SET x = x + 1 WHERE id = $1 AND claim = $2`;',
].join('\n');

const written = (lines?: Set<number>) =>
  mutantsOf(source, lines).map((mutant) => withMutant(source, mutant).split('\n')[mutant.line - 1]);

test('each place is changed once for each rule that matches it; comments and imports are left alone', () => {
  expect(written()).toEqual([
    'if (a <= b && !c) return [x, true];',
    'if (a < b || !c) return [x, true];',
    'if (a < b && !c) return [x, false];',
    '`UPDATE t SET x = x + 2 WHERE id = $1 AND claim = $2`;',
    '`UPDATE t SET x = x + 1 WHERE id = $1 `;',
    '`UPDATE t SET x = x + 1 WHERE id <> $1 AND claim = $2`;',
    '`UPDATE t SET x = x + 1 WHERE id = $1 AND claim <> $2`;',
  ]);
});

test('only the lines that are named are changed', () => {
  expect(written(new Set([3]))).toHaveLength(3);
  expect(written(new Set([1, 2]))).toEqual([]);
});

test('a mutant of another source is refused', () => {
  expect(() => withMutant('a > b', { line: 1, column: 1, from: ' < ', to: ' <= ' })).toThrow('has no');
});
