import { expect, test } from '@jest/globals';
import { plainAmount } from './minor-digits.ts';

test.each([
  [1_250, 'EUR', '12.50 EUR'],
  ['700', 'JPY', '700 JPY'],
  [-5, 'EUR', '-0.05 EUR'],
])('%s of %s is %s in a file', (amountMinor, currency, text) => {
  expect(plainAmount({ amountMinor, currency })).toBe(text);
});
