import { expect, test } from '@jest/globals';
import { csvOf } from './csv.ts';

test.each([
  [[['Day', 'New members']], 'Day,New members\r\n'],
  [[['a "quoted" name', 'two\nlines', 'one, two']], '"a ""quoted"" name","two\nlines","one, two"\r\n'],
  [[['=SUM(A1)', '+A1', '-A1', '@x', -1]], "'=SUM(A1),'+A1,'-A1,'@x,-1\r\n"],
  [
    [
      ['a', 1],
      ['b', 2.5],
    ],
    'a,1\r\nb,2.5\r\n',
  ],
])('%j is %j', (rows, text) => {
  expect(csvOf(rows)).toBe(text);
});
