import { expect, test } from '@jest/globals';
import { badBody, badDevice, badQuery, id, query, refusal, variables } from './input.fixture.ts';

test.each([
  ['limit', '1', 1],
  ['limit', '0', 0],
  ['limit', '-5', -5],
  ['pointsMin', '9007199254740993', '9007199254740993'],
  ['pointsMin', '-7', '-7'],
  ['latitude', '38.7', 38.7],
  ['latitude', '1e2', 100],
  ['latitude', '-0.5', -0.5],
  ['isActive', 'true', true],
  ['isActive', 'false', false],
  ['status', 'deactivation_pending', 'DEACTIVATION_PENDING'],
  ['since', '2026-11-21T09:30:00Z', '2026-11-21T09:30:00Z'],
  ['search', '', ''],
  ['search', '5', '5'],
])('in a query %s=%s is read as %j', (name, given, expected) => {
  expect(query({ [name]: given })).toEqual({ [name]: expected });
});

test.each([
  '1e3',
  '0x10',
  '',
  ' 5',
  '5 ',
  '+5',
  '1.0',
  '1.5',
  '007',
  '1_000',
  '٣',
  'NaN',
  'Infinity',
  '99999999999999999999',
  '2147483648',
  'true',
  'null',
])('in a query limit=%j is refused: it is no whole number of 32 bits', (given) => {
  expect(badQuery({ limit: given })).toBe(
    'BAD_USER_INPUT VALIDATION_FAILED: limit must be a whole number of up to 32 bits, -2147483648 to 2147483647.',
  );
});

test.each([
  ['pointsMin', '1.5'],
  ['pointsMin', '0x10'],
  ['pointsMin', ''],
  ['pointsMin', '9'.repeat(21)],
  ['latitude', '0x10'],
  ['latitude', ''],
  ['latitude', '1e999'],
  ['latitude', '.5'],
  ['isActive', 'TRUE'],
  ['isActive', '1'],
  ['isActive', ''],
  ['since', '2026-11-21'],
  ['since', 'yesterday'],
  ['since', ''],
])('in a query %s=%j is refused with the name of the field', (name, given) => {
  expect(badQuery({ [name]: given })).toMatch(
    new RegExp(`^BAD_USER_INPUT VALIDATION_FAILED: ${name} must be `),
  );
});

test.each(['ACTIVE', 'Active', 'unknown', '', 'constructor', '__proto__', 'toString'])(
  'the enum value %j is refused with a list of the valid values',
  (given) => {
    expect(badQuery({ status: given })).toBe(
      'BAD_USER_INPUT VALIDATION_FAILED: status must be one of active, deactivation_pending.',
    );
  },
);

test('a query parameter given twice is refused, unless it is a list', () => {
  expect(badQuery({ limit: ['1', '2'] })).toBe(
    'BAD_USER_INPUT VALIDATION_FAILED: limit is given more than once.',
  );
  expect(badQuery({ search: ['a', 'b'] })).toBe(
    'BAD_USER_INPUT VALIDATION_FAILED: search is given more than once.',
  );
  expect(badQuery({ status: ['active', 'active'] })).toBe(
    'BAD_USER_INPUT VALIDATION_FAILED: status is given more than once.',
  );
  expect(query({ tags: ['a', 'b'] })).toEqual({ tags: ['a', 'b'] });
});

test('in a query, a single value of a list parameter is read as a list of one item', () => {
  expect(query({ tags: 'a' })).toEqual({ tags: ['a'] });
});

test.each([0, -1, 1.5, '5', '', true, null, [5], { points: 5 }, 1e300, 2 ** 53])(
  'the amount of points %j is refused',
  (amount) => {
    expect(refusal('AwardPoints', { params: { memberId: id }, body: { amount } })).toMatch(
      /^BAD_USER_INPUT VALIDATION_FAILED: amount must /,
    );
  },
);

test('null is accepted for a nullable field', () => {
  expect(variables('UpdateMember', { params: { id }, body: { fullName: null } })).toEqual({
    id,
    fullName: null,
  });
  expect(variables('UpdateMember', { params: { id }, body: { customAttributes: { size: null } } })).toEqual({
    id,
    customAttributes: { size: null },
  });
});

test('half of a surrogate pair is refused in values and in names, at any depth', () => {
  const rule = 'must not contain half of a surrogate pair; send whole characters.';
  expect(badQuery({ search: 'a\ud800' })).toContain(`search ${rule}`);
  expect(badBody({ customAttributes: { note: ['fine 😀', '\udc00'] } })).toContain(
    `customAttributes.note[1] ${rule}`,
  );
  expect(badBody({ customAttributes: { '\ud83d': 1 } })).toContain(`customAttributes ${rule}`);
});

test('a NUL is refused in values and in names, at any depth', () => {
  expect(badQuery({ search: 'a\0b' })).toContain('search must not contain the character U+0000.');
  expect(badBody({ customAttributes: { note: ['\0'] } })).toContain(
    'customAttributes.note[0] must not contain the character U+0000.',
  );
  expect(badBody({ customAttributes: { 'a\0': 1 } })).toContain(
    'customAttributes must not contain the character U+0000.',
  );
});

test('input that is nested too deeply is refused without a stack overflow', () => {
  const deep = JSON.parse(`${'{"any":['.repeat(20_000)}${']}'.repeat(20_000)}`) as unknown;
  expect(badBody({ customAttributes: deep })).toContain('customAttributes must be at most 32 levels deep.');
  expect(badDevice({ rules: [deep] })).toContain('rules must be at most 32 levels deep.');
});

test('too many points are refused by a sentence that names the maximum', () => {
  const params = { memberId: id };
  expect(refusal('AwardPoints', { params, body: { amount: 99_999_999_999 } })).toBe(
    'BAD_USER_INPUT VALIDATION_FAILED: ' +
      'amount must be a whole number, at least 1 and at most 2147483647.',
  );
});
