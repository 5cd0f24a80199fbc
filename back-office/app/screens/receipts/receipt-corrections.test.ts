import { describe, expect, test } from '@jest/globals';
import {
  correctionsOf,
  linesOf,
  minorOf,
  type ReceiptValues,
  signedMinorOf,
  sumOf,
  valuesOf,
} from './receipt-corrections.ts';

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

describe('the lines of a form', () => {
  const lines = [
    { name: 'Espresso', quantity: 2, amountMinor: '240' },
    { name: 'Pastel de nata', quantity: 1, amountMinor: 420 },
  ];
  const [coffee, cake] = linesOf({ items: lines, currency: 'EUR' });
  const corrected = (items: ReceiptValues['items'], currency = 'EUR') => {
    const values = { ...valuesOf(read), items, currency };
    return [correctionsOf({ ...read, currency }, values), sumOf(values)];
  };
  const sent = [
    { name: 'Espresso', quantity: 2, amountMinor: '240' },
    { name: 'Pastel de nata', quantity: 1, amountMinor: '420' },
  ];

  test('are not sent before somebody corrects them, and all together then', () => {
    expect(corrected(null)).toEqual([null, null]);
    expect(corrected([coffee!, cake!])).toEqual([{ items: sent }, '660']);
    expect(corrected([{ ...coffee!, name: ' Tea ', quantity: '3', amountMinor: 3.6 }])).toEqual([
      { items: [{ name: 'Tea', quantity: 3, amountMinor: '360' }] },
      '360',
    ]);
    expect(corrected([])).toEqual([{ items: [] }, '0']);
  });

  test('are below 0 for a discount', () => {
    const discount = { key: 'new', name: 'Discount', quantity: 1, amountMinor: '-0,5' };
    expect(corrected([discount])).toEqual([
      { items: [{ name: 'Discount', quantity: 1, amountMinor: '-50' }] },
      '-50',
    ]);
    const read = [{ name: 'Discount', quantity: 1, amountMinor: -5 }];
    expect(linesOf({ items: read, currency: 'EUR' })[0]?.amountMinor).toBe('-0.05');
  });

  test('are not sent while one of them is not complete, and have no sum then', () => {
    for (const wrong of [{ name: ' ' }, { quantity: '' }, { amountMinor: '' }, { amountMinor: '1.234' }])
      expect(corrected([{ ...coffee!, ...wrong }, cake!])).toEqual([null, null]);
  });

  test('that were read in hundredths follow the currency', () => {
    const hundredths = linesOf({
      items: [{ name: 'Tea', quantity: 1, amountMinor: 24_000 }],
      currency: null,
    });
    expect(corrected(hundredths, 'JPY')[0]).toMatchObject({
      items: [{ amountMinor: '240' }],
    });
  });
});

test.each([
  ['-1', '-100'],
  [-1.5, '-150'],
  ['-0', '0'],
  ['1', '100'],
  ['--1', null],
  ['-', null],
])('%s EUR, which may be below 0, is %s in minor units', (typed, minor) => {
  expect(signedMinorOf(typed, 'EUR')).toBe(minor);
});

test.each([
  ['240.00', 'JPY', '240'],
  ['12.50', 'EUR', '1250'],
  ['0', 'EUR', '0'],
  ['12.505', 'EUR', null],
  ['-1', 'EUR', null],
  ['1.5', 'JPY', null],
  ['', 'EUR', null],
])('%s %s is %s in minor units', (typed, currency, minor) => {
  expect(minorOf(typed, currency)).toBe(minor);
});
