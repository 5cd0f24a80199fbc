import { describe, expect, test } from '@jest/globals';
import { correctionsOf, minorOf, valuesOf } from './receipt-corrections.ts';

const read = {
  merchant: 'CORNER SHOP',
  purchasedOn: '2026-03-01',
  currency: 'EUR',
  totalMinor: '660',
  store: null,
};

describe('the corrections of a form', () => {
  test('are none while it shows what was read', () => {
    expect(valuesOf(read)).toMatchObject({ totalMinor: '6.60', storeId: '' });
    expect(correctionsOf(read, valuesOf(read))).toBeNull();
    expect(correctionsOf(read, { ...valuesOf(read), totalMinor: ' 6,6 ' })).toBeNull();
  });

  test('are only what differs; what is emptied is said to be none', () => {
    const values = { ...valuesOf(read), merchant: ' ', totalMinor: '7', storeId: 's' };
    expect(correctionsOf(read, values)).toEqual({ merchant: null, totalMinor: '700', storeId: 's' });
  });

  test('follow the decimals of the currency', () => {
    expect(correctionsOf(read, { ...valuesOf(read), currency: 'JPY', totalMinor: '660' })).toEqual({
      currency: 'JPY',
    });
    expect(valuesOf({ ...read, currency: 'JPY', totalMinor: '5' }).totalMinor).toBe('5');
    expect(valuesOf({ ...read, totalMinor: '5' }).totalMinor).toBe('0.05');
  });
});

test.each([
  ['12.50', 'EUR', '1250'],
  ['0', 'EUR', '0'],
  ['12.505', 'EUR', null],
  ['-1', 'EUR', null],
  ['1.5', 'JPY', null],
  ['', 'EUR', null],
])('%s %s is %s in minor units', (typed, currency, minor) => {
  expect(minorOf(typed, currency)).toBe(minor);
});
