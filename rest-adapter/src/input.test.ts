import { expect, test } from '@jest/globals';
import type { AppError } from '@loyalty/platform/base/errors';
import { rowOf, schema } from './adapter.fixture.ts';
import { badBody, badDevice, id, nothing, query, refusal, variables } from './input.fixture.ts';
import { missing, type Received, readVariables } from './input.ts';
import { DELETE, GET } from './table/row.ts';
import { readOperation } from './table/row-operation.ts';

test('parameters come from path, query and body by their documented names', () => {
  expect(variables('GetMember', { params: { id } })).toEqual({ id });
  expect(query({ search: 'Ada', limit: '10' })).toEqual({ search: 'Ada', limit: 10 });
  expect(variables('AwardPoints', { params: { memberId: id }, body: { amount: 5 } })).toEqual({
    memberId: id,
    amount: 5,
  });
});

test('a parameter that is not sent is no variable, so the default of the document applies', () => {
  expect(query({})).toEqual({});
});

test('a missing required field is named', () => {
  expect(refusal('CreateMember', { body: { email: 'a@b.c' } })).toBe(
    'BAD_USER_INPUT VALIDATION_FAILED: fullName is required.',
  );
  expect(refusal('Unsubscribe', {})).toBe('BAD_USER_INPUT VALIDATION_FAILED: email is required.');
});

test('all wrong fields are named at once, at any depth; the sentence is about the first one', () => {
  const faults = (name: string, received: Partial<Received>) => {
    try {
      return variables(name, received);
    } catch (error) {
      return (error as AppError).details.errors?.map(({ field, code }) => `${field} ${code}`);
    }
  };
  expect(refusal('CreateMember', { body: { email: 5, birthDate: 'x', colour: 1 } })).toContain('colour');
  expect(faults('CreateMember', { body: { email: 5, birthDate: 'x', colour: 1 } })).toEqual([
    'colour UNKNOWN_FIELD',
    'email VALIDATION_FAILED',
    'fullName VALIDATION_FAILED',
    'birthDate VALIDATION_FAILED',
  ]);
  const rules = [{ status: 'active', weight: 1.5 }, null, { status: 'x' }];
  expect(faults('AddDevice', { body: { keys: { p256dh: null, extra: 1 }, rules } })).toEqual([
    'endpoint VALIDATION_FAILED',
    'keys.extra UNKNOWN_FIELD',
    'keys.p256dh VALIDATION_FAILED',
    'keys.auth VALIDATION_FAILED',
    'rules[0].weight VALIDATION_FAILED',
    'rules[1] VALIDATION_FAILED',
    'rules[2].status VALIDATION_FAILED',
  ]);
  expect(faults('ListMembers', { query: { limit: 'x', colour: '1' } })).toEqual([
    'colour UNKNOWN_FIELD',
    'limit VALIDATION_FAILED',
  ]);
});

test('an unknown parameter is refused with a list of the known ones', () => {
  expect(refusal('GetMember', { params: { id }, query: { limit: '1' } })).toBe(
    'BAD_USER_INPUT UNKNOWN_FIELD: limit is not a field of this request; none are expected.',
  );
  expect(refusal('Unsubscribe', { body: { mail: 'a@b.c' } })).toBe(
    'BAD_USER_INPUT UNKNOWN_FIELD: mail is not a field of this request; known are email.',
  );
});

test('a path id cannot be given again in the body or the query', () => {
  expect(refusal('AwardPoints', { params: { memberId: id }, body: { memberId: id, amount: 1 } })).toContain(
    'UNKNOWN_FIELD: memberId',
  );
  expect(refusal('GetMember', { params: { id }, query: { id } })).toContain('UNKNOWN_FIELD: id');
});

test('a query parameter of a POST is refused as unknown', () => {
  expect(refusal('Unsubscribe', { query: { email: 'a@b.c' }, body: { email: 'a@b.c' } })).toContain(
    'UNKNOWN_FIELD: email',
  );
});

test.each([[[]], ['text'], [5], [true]])('the body %j is refused, because it is no object', (body) => {
  expect(refusal('Unsubscribe', { body })).toBe(
    'BAD_USER_INPUT BODY_INVALID: The body must be a JSON object.',
  );
});

test('a path id that is no UUID is a 404 with the noun of the path', () => {
  expect(refusal('GetMember', { params: { id: '42' } })).toBe(
    'NOT_FOUND MEMBER_NOT_FOUND: No member has the id 42.',
  );
  expect(refusal('MemberPoints', { params: { memberId: 'me' } })).toBe(
    'NOT_FOUND MEMBER_NOT_FOUND: No member has the id me.',
  );
});

test('an id in the body that is no UUID is a 400 with the name of the field', () => {
  expect(badBody({ storeId: '42' })).toBe('BAD_USER_INPUT INVALID_ID: storeId must be a UUID.');
  expect(badBody({ storeId: 42 })).toBe('BAD_USER_INPUT INVALID_ID: storeId must be a UUID.');
});

test.each([
  ['/api/v2/api-keys/:id', 'id', 'API_KEY_NOT_FOUND: No api key has'],
  ['/api/v2/categories/:id', 'id', 'CATEGORY_NOT_FOUND: No category has'],
  ['/api/v2/objects/:type/records/:recordId', 'recordId', 'RECORD_NOT_FOUND: No record has'],
  ['/api/v2/orders/:externalOrderId/refund', 'externalOrderId', 'ORDER_NOT_FOUND: No order has'],
] as const)('the 404 of %s names the noun in its code and in its sentence', (path, name, expected) => {
  const error = missing(GET(path as string, 'query Q { reply: tiers { id } }'), name, 'x');
  expect(`${error.code}: ${error.message}`).toBe(`${expected} the id x.`);
});

test.each([
  [{ email: 5 }, 'email must be a string.'],
  [{ email: null }, 'email must not be null.'],
  [{ email: ['a@b.c'] }, 'email must be a string.'],
  [{ fullName: { first: 'Ada' } }, 'fullName must be a string.'],
  [{ customAttributes: [] }, 'customAttributes must be an object.'],
  [{ customAttributes: 'x' }, 'customAttributes must be an object.'],
  [{ birthDate: '1815-13-10' }, 'birthDate must be a day such as 2026-11-21.'],
  [{ birthDate: 18151210 }, 'birthDate must be a day such as 2026-11-21.'],
  [{ status: 'ACTIVE' }, 'status must be one of active, deactivation_pending.'],
  [{ status: 0 }, 'status must be one of active, deactivation_pending.'],
])('the body with %j is refused: %s', (more, sentence) => {
  expect(badBody(more)).toBe(`BAD_USER_INPUT VALIDATION_FAILED: ${sentence}`);
});

test('another spelling of a field is accepted, but not together with the documented one', () => {
  expect(variables('CreateMember', { body: { email: 'a@b.c', name: 'Ada' } })).toEqual({
    email: 'a@b.c',
    fullName: 'Ada',
  });
  expect(badBody({ name: 'Ada' })).toBe(
    'BAD_USER_INPUT VALIDATION_FAILED: name is another spelling of fullName; send one of them.',
  );
});

test('the error of a wrong value under another spelling uses the documented name', () => {
  expect(refusal('CreateMember', { body: { email: 'a@b.c', name: 5 } })).toContain(
    'fullName must be a string.',
  );
});

test('nested inputs are checked field by field', () => {
  const body = {
    endpoint: 'https://push.example',
    keys: { p256dh: 'p', auth: 'a' },
    rules: [{ status: 'active', any: [{ status: 'active' }] }],
  };
  expect(variables('AddDevice', { body })).toEqual({
    ...body,
    rules: [{ status: 'ACTIVE', any: [{ status: 'ACTIVE' }] }],
  });
});

test.each([
  [{ keys: { p256dh: 'p' } }, 'VALIDATION_FAILED: keys.auth is required.'],
  [{ keys: { p256dh: 'p', auth: null } }, 'VALIDATION_FAILED: keys.auth must not be null.'],
  [
    { keys: { p256dh: 'p', auth: 'a', extra: 1 } },
    'UNKNOWN_FIELD: keys.extra is not known; known are p256dh, auth.',
  ],
  [{ keys: [] }, 'VALIDATION_FAILED: keys must be an object.'],
  [{ keys: null }, 'VALIDATION_FAILED: keys must not be null.'],
  [{ rules: {} }, 'VALIDATION_FAILED: rules must be an array.'],
  [{ rules: [null] }, 'VALIDATION_FAILED: rules[0] must not be null.'],
  [
    { rules: [{ status: 'active', any: [{ status: 'ACTIVE' }] }] },
    'VALIDATION_FAILED: rules[0].any[0].status must be one of active, deactivation_pending.',
  ],
  [
    { rules: [{ status: 'active', weight: 1.5 }] },
    'VALIDATION_FAILED: rules[0].weight must be a whole number of up to 32 bits, -2147483648 to 2147483647.',
  ],
])('the device %j is refused: %s', (more, expected) => {
  expect(badDevice(more)).toBe(`BAD_USER_INPUT ${expected}`);
});

test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
  '%s is refused as an unknown field',
  (name) => {
    const hostile = (source: string) => JSON.parse(source.replace('NAME', name)) as Record<string, unknown>;
    expect(
      refusal('CreateMember', { body: hostile('{"email":"a@b.c","fullName":"Ada","NAME":{"x":1}}') }),
    ).toContain(`UNKNOWN_FIELD: ${name}`);
    expect(badDevice(hostile('{"keys":{"p256dh":"p","auth":"a","NAME":1}}'))).toContain(
      `UNKNOWN_FIELD: keys.${name}`,
    );
    expect(refusal('ListMembers', { query: hostile('{"NAME":"1"}') })).toContain(`UNKNOWN_FIELD: ${name}`);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  },
);

test('a DELETE takes its fields from the body, or from the query if there is no body', () => {
  const row = DELETE('/api/member/web-push', rowOf('RemoveDevice').document);
  const read = (received: Partial<Received>) =>
    readVariables(row, readOperation(row.document, schema), { ...nothing, ...received });
  expect(read({ body: { endpoint: 'https://a' } })).toEqual({ endpoint: 'https://a' });
  expect(read({ query: { endpoint: 'https://a' } })).toEqual({ endpoint: 'https://a' });
  expect(() => read({ query: { endpoint: 'https://b' }, body: { endpoint: 'https://a' } })).toThrow(
    'endpoint is not a field of this request',
  );
});
