import { expect, test } from '@jest/globals';
import { Kind } from 'graphql';
import { scalars } from './scalars.ts';

const {
  BigInt: bigInt,
  Date: day,
  DateTime: instant,
  PositiveInt: positive,
  NonNegativeInt: natural,
  URL: url,
} = scalars;

test.each([0, -5, 9_007_199_254_740_991, '9223372036854775807', '-9223372036854775808', 12n])(
  'BigInt reads %s exactly',
  (value) => expect(bigInt.parseValue(value)).toBe(BigInt(value)),
);

test.each([1.5, '1.5', 2 ** 53, '9223372036854775808', '0x10', '', ' 5', null, true, {}, NaN])(
  'BigInt refuses %p',
  (value) => expect(() => bigInt.parseValue(value)).toThrow(),
);

test('BigInt leaves as a number while that is exact, as text beyond', () => {
  expect(bigInt.serialize(50_000n)).toBe(50_000);
  expect(bigInt.serialize(2n ** 60n)).toBe('1152921504606846976');
  expect(bigInt.parseLiteral({ kind: Kind.INT, value: '9007199254740993' })).toBe(9_007_199_254_740_993n);
  expect(() => bigInt.parseLiteral({ kind: Kind.FLOAT, value: '1.0' })).toThrow();
});

test.each([0, -1, 1.5, '5', '0x10', null, 2 ** 31])('PositiveInt refuses %p', (value) => {
  expect(() => positive.parseValue(value)).toThrow();
});

test('whole numbers pass from their least to their largest', () => {
  expect([positive.parseValue(1), natural.parseValue(0)]).toEqual([1, 0]);
  expect([positive, natural].map((scalar) => scalar.parseValue(2 ** 31 - 1))).toEqual(
    Array(2).fill(2 ** 31 - 1),
  );
  expect(() => natural.parseValue(-1)).toThrow();
});

test.each(['2026-02-30', '2026-2-3', '2026-02-03T00:00:00Z', '', 7])('Date refuses %p', (value) => {
  expect(() => day.parseValue(value)).toThrow();
});

test('a day stays the text that it is, an instant leaves in UTC', () => {
  expect([day.parseValue('2024-02-29'), day.serialize('2024-02-29')]).toEqual(['2024-02-29', '2024-02-29']);
  expect(String(instant.serialize(new Date('2026-03-02T11:00:00+01:00')))).toBe('2026-03-02T10:00:00.000Z');
});

test('a URL stays text and must be absolute', () => {
  expect(url.parseValue('https://example.com/me.png')).toBe('https://example.com/me.png');
  expect(() => url.parseValue('me.png')).toThrow();
});
