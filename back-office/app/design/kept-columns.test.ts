import { expect, test } from '@jest/globals';
import { chosenOf } from './kept-columns.ts';

test.each([
  [null, {}],
  ['{"email":false,"joined":true}', { email: false, joined: true }],
  ['{"email":"no","joined":true}', { joined: true }],
  ['null', {}],
  ['{', {}],
])('%j was kept: the choice is %j', (kept, chosen) => {
  expect(chosenOf(kept)).toEqual(chosen);
});
