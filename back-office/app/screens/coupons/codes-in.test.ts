import { expect, test } from '@jest/globals';
import { codesIn } from './codes-in.ts';

test('each line with something in it is a code, whatever system wrote the file', () => {
  expect(codesIn('\uFEFFONE-1\r\n two-2 \n\n\rhas space\rONE-1\n')).toEqual([
    'ONE-1',
    'two-2',
    'has space',
    'ONE-1',
  ]);
  expect(codesIn(' \n')).toEqual([]);
});
