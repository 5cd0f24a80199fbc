import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type CustomFieldType,
  checkCustomValues,
  checkValue,
  type FieldDefinition,
  TEXT_LENGTH_MAX,
} from './custom-values.ts';
import { asksForSensitive, looksSensitive, passesLuhn } from './sensitive-data.ts';

const field = (type: CustomFieldType, options: readonly string[] = []): FieldDefinition => ({
  key: 'f',
  type,
  options,
  archivedAt: null,
});
const check = (type: CustomFieldType, value: unknown, options: readonly string[] = []) =>
  checkValue('at.f', field(type, options), value);
const codeOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'ACCEPTED';
};
const refused = (type: CustomFieldType, value: unknown, options: readonly string[] = []) =>
  expect([value, codeOf(() => check(type, value, options))]).toEqual([value, 'VALIDATION_FAILED']);

test('text takes strings as they are and nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the same characters that are refused
      fc.pre(!looksSensitive(text) && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text));
      expect(check('TEXT', text)).toBe(text);
    }),
  );
  for (const value of [1, true, {}, [], 'x'.repeat(TEXT_LENGTH_MAX + 1), 'a\u0000b', '\ud800'])
    refused('TEXT', value);
});

test('numbers and the strings that spell them become the same number', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 });
  fc.assert(
    fc.property(number, (value) => {
      fc.pre(!looksSensitive(String(value)));
      const expected = value === 0 ? 0 : value;
      expect(check('NUMBER', value)).toBe(expected);
      expect(check('NUMBER', String(value))).toBe(expected);
    }),
  );
  expect(['007', '+1.50', '-2e3'].map((text) => check('NUMBER', text))).toEqual([7, 1.5, -2_000]);
});

test('what does not spell a number is refused', () => {
  for (const value of [
    '',
    ' 1',
    '1 ',
    '1,5',
    '.5',
    '5.',
    '0x10',
    'NaN',
    'Infinity',
    '1e999',
    true,
    null,
    {},
    [1],
    Number.NaN,
    2 ** 53,
  ]) {
    refused('NUMBER', value);
  }
});

test('every day of the calendar is taken and no other text is', () => {
  const days = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(days, (date) => {
      const day = date.toISOString().slice(0, 10);
      expect(check('DATE', day)).toBe(day);
      refused('DATE', date.toISOString());
    }),
  );
  for (const value of [
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20260101',
    '',
    20260101,
    null,
  ])
    refused('DATE', value);
  expect(check('DATE', '2024-02-29')).toBe('2024-02-29');
});

test('boolean takes true and false and nothing that merely looks so', () => {
  expect([true, false].map((value) => check('BOOLEAN', value))).toEqual([true, false]);
  for (const value of ['true', 'false', 1, 0, '', null]) refused('BOOLEAN', value);
});

test('enum takes exactly its options', () => {
  const options = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(options, fc.anything(), (allowed, other) => {
      for (const option of allowed) expect(check('ENUM', option, allowed)).toBe(option);
      if (!allowed.includes(other as string)) refused('ENUM', other, allowed);
    }),
  );
});

test('list takes every subset of its options, keeps each once and in the order of the options', () => {
  const options = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(
      options.chain((allowed) =>
        fc.tuple(fc.constant(allowed), fc.array(fc.constantFrom(...allowed), { maxLength: 40 })),
      ),
      ([allowed, chosen]) => {
        expect(check('LIST', chosen, allowed)).toEqual(allowed.filter((option) => chosen.includes(option)));
        refused('LIST', [...chosen, `${allowed.join('')}!`], allowed);
      },
    ),
  );
  for (const value of ['a', { 0: 'a' }, [1], [['a']], null]) refused('LIST', value, ['a']);
});

test('unknown keys refuse the whole write and are repeated only where they could be keys', () => {
  const definitions = [field('TEXT')];
  expect(codeOf(() => checkCustomValues('at', definitions, { f: 'ok', other: 1 }))).toBe(
    'UNKNOWN_CUSTOM_FIELD',
  );
  for (const key of ['__proto__', 'constructor', 'toString', 'F', '']) {
    const attributes = Object.defineProperty({}, key, { value: 'x', enumerable: true });
    expect(codeOf(() => checkCustomValues('at', definitions, attributes))).toBe('UNKNOWN_CUSTOM_FIELD');
  }
  expect(() => checkCustomValues('at', definitions, { 'jane@example.com': 1 })).toThrow(/^at names/);
});

test('null clears, and an archived field takes neither values nor null', () => {
  const archived = { ...field('TEXT'), key: 'old', archivedAt: new Date() };
  expect(checkCustomValues('at', [field('TEXT')], { f: null })).toEqual({ set: {}, cleared: ['f'] });
  for (const value of ['x', null]) {
    expect(codeOf(() => checkCustomValues('at', [archived], { old: value }))).toBe('CUSTOM_FIELD_ARCHIVED');
  }
});

const cards = [
  '4111111111111111',
  '4111 1111 1111 1111',
  '5500-0000-0000-0004',
  '340000000000009',
  '30000000000004',
  '6011000000000004',
  '2223003122003222',
  '3530111333300000',
];

test('card numbers are refused in text and as numbers, also beside other numbers', () => {
  for (const card of cards) {
    expect(codeOf(() => check('TEXT', `12 ${card} 12/27`))).toBe('SENSITIVE_VALUE');
    const digits = card.replaceAll(/\D/g, '');
    expect(codeOf(() => check('NUMBER', Number(digits)))).toBe('SENSITIVE_VALUE');
    expect(codeOf(() => check('NUMBER', digits))).toBe('SENSITIVE_VALUE');
  }
});

test('every sixteen digits of a card issuer are refused exactly when the check digit is right', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^4\d{14}$/), (body) => {
      const digits = Array.from({ length: 10 }, (_, last) => `${body}${last}`);
      expect(digits.filter(passesLuhn)).toHaveLength(1);
      expect(digits.filter(looksSensitive)).toEqual(digits.filter(passesLuhn));
    }),
  );
});

test('social security numbers are refused, ordinary numbers are not', () => {
  for (const text of ['123-45-6789', 'ssn 078 05 1120.'])
    expect(codeOf(() => check('TEXT', text))).toBe('SENSITIVE_VALUE');
  const ordinary = [
    '000-45-6789',
    '666-45-6789',
    '912-45-6789',
    '123-00-6789',
    '2026-03-02',
    '1772445600000',
    '5901234123457',
    '+351 912 345 678',
    '123456789',
  ];
  for (const text of ordinary) expect(check('TEXT', text)).toBe(text);
});

test('names that ask for sensitive data are recognised as whole words', () => {
  for (const name of [
    'ssn',
    'passport_no',
    'Credit card',
    'healthStatus',
    'religion',
    'Sexual orientation',
    'trade_union',
    'PIN code',
    'driver_s_license',
  ]) {
    expect([name, asksForSensitive(name)]).toEqual([name, true]);
  }
  for (const name of [
    'favourite_store',
    'shoe_size',
    'spinach',
    'healthy',
    'discard_reason',
    'trace_id',
    'wine_preference',
  ]) {
    expect([name, asksForSensitive(name)]).toEqual([name, false]);
  }
});
