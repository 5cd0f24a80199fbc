import { expect, test } from '@jest/globals';
import { minorOf, refundableOf } from './order-amounts.ts';

test('an amount as it is typed becomes exact minor units of its currency', () => {
  expect(['12', '12.5', '12,05', ' 0.01 ', '9007199254740.93'].map((typed) => minorOf(typed, 'EUR'))).toEqual(
    ['1200', '1250', '1205', '1', null],
  );
  expect([minorOf('500', 'JPY'), minorOf('500.5', 'JPY'), minorOf('1.125', 'KWD')]).toEqual([
    '500',
    null,
    '1125',
  ]);
});

test('what is no amount above zero is none', () => {
  for (const typed of ['', '0', '0.00', '-5', 'five', '1.234', '1.2.3', '1e3'])
    expect([typed, minorOf(typed, 'EUR')]).toEqual([typed, null]);
});

test('what is left of an order is exact, also where numbers would round', () => {
  const of = (amountMinor: string) => ({ amountMinor, currency: 'EUR' });
  const order = { total: of('9007199254740993'), refundedTotal: of('1') };
  expect(refundableOf(order)).toEqual(of('9007199254740992'));
});
