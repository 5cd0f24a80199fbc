import { expect, test } from '@jest/globals';
import {
  AppError,
  forbidden,
  invalid,
  rateLimited,
  refusedAt,
  unauthenticated,
} from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { sendRestError } from '@loyalty/platform/http/http-errors';
import fastify, { type LightMyRequestResponse } from 'fastify';
import { rowOf, schema } from './adapter.fixture.ts';
import { appErrorOf } from './errors.ts';
import { readOperation } from './table/row-operation.ts';

const operationOf = (name: string) => readOperation(rowOf(name).document, schema);
const refused = (message: string, extensions: Record<string, unknown>) => ({
  message,
  extensions: { code: 'BAD_USER_INPUT', ...extensions },
});

test.each([
  ['AwardPoints', 'input.amount', 'amount'],
  ['CreateMember', 'input.birthOn', 'birthDate'],
  ['CreateMember', 'input.customAttributes.size', 'customAttributes.size'],
  ['CreateMember', 'input.customAttributes[0].size', 'customAttributes[0].size'],
  ['AddDevice', 'input.keys.p256dh', 'keys.p256dh'],
  ['ListMembers', 'first', 'limit'],
  ['MemberPoints', 'first', 'limit'],
  ['CreateMember', 'input.emailAgain', 'emailAgain'],
  ['CreateMember', 'input.birthOnce', 'birthOnce'],
  ['CreateMember', 'input', 'input'],
])('in %s the field %s has the documented name %s', (name, field, expected) => {
  const error = appErrorOf(
    refused(`${field} must be shorter.`, { reason: 'VALIDATION_FAILED', field }),
    operationOf(name),
  );
  expect(error).toMatchObject({ message: `${expected} must be shorter.`, details: { field: expected } });
});

test('a sentence that does not begin with the field does not change', () => {
  const error = appErrorOf(refused('No first aid.', { field: 'first' }), operationOf('ListMembers'));
  expect(error).toMatchObject({ message: 'No first aid.', details: { field: 'limit' } });
});

test('an unknown error reveals no details of the implementation', () => {
  for (const extensions of [undefined, {}, { code: 'GRAPHQL_VALIDATION_FAILED' }, { code: 'toString' }]) {
    const error = appErrorOf(
      { message: 'relation "members" does not exist', ...(extensions && { extensions }) },
      operationOf('GetMember'),
    );
    expect(error).toMatchObject({ category: 'INTERNAL_SERVER_ERROR', code: 'INTERNAL' });
    expect(error.message).not.toContain('relation');
  }
});

test('a refusal keeps its sentence, without the field of the graph that REST does not have', () => {
  const path = ['reply', 'members', 'email'];
  const sentence = 'This needs the scope members:read.';
  const { message, category, code } = refusedAt(forbidden('SCOPE_MISSING', sentence), path);
  const error = { message, path, extensions: { code: category, reason: code } };
  expect(appErrorOf(error, operationOf('ListMembers'))).toMatchObject({ message: sentence, code });
});

test('the retry delay of the graph is passed on', () => {
  const error = appErrorOf(
    { message: 'Wait.', extensions: { code: 'RATE_LIMITED', reason: 'RATE_LIMITED', retryAfterSeconds: 7 } },
    operationOf('GetMember'),
  );
  expect(error.details.retryAfterSeconds).toBe(7);
});

async function answer(error: AppError, path: string, accept = '*/*'): Promise<LightMyRequestResponse> {
  const app = fastify({ genReqId: () => 'request-1' });
  app.decorate('publicUrl', 'https://loyalty.example.com');
  app.get('/*', (request, reply) => sendRestError(request, reply, error));
  return app.inject({ url: path, headers: { accept } });
}

test('a v2 error is exactly {error} with the code in a header', async () => {
  const response = await answer(invalid('limit', 'must be between 1 and 200'), '/api/v2/members');
  expect(response.statusCode).toBe(400);
  expect(response.json()).toEqual({ error: 'limit must be between 1 and 200.' });
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-error-code': 'VALIDATION_FAILED',
    'x-request-id': 'request-1',
  });
});

test('a v1 error is exactly {error: {code, message}}', async () => {
  const response = await answer(invalid('limit', 'must be between 1 and 200'), '/api/v1/wallet');
  expect(response.json()).toEqual({
    error: { code: 'VALIDATION_FAILED', message: 'limit must be between 1 and 200.' },
  });
});

test('a client that accepts RFC 9457 gets a problem that points at the field', async () => {
  const response = await answer(
    invalid('items[0].sku', 'is required'),
    '/api/v2/orders',
    'application/problem+json, */*;q=0.1',
  );
  expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(response.json()).toEqual({
    type: 'https://loyalty.example.com/docs/errors/VALIDATION_FAILED',
    title: 'Bad Request',
    status: 400,
    detail: 'items[0].sku is required.',
    code: 'VALIDATION_FAILED',
    instance: 'request-1',
    errors: [{ pointer: '#/items/0/sku', code: 'VALIDATION_FAILED', detail: 'items[0].sku is required.' }],
  });
});

test('a problem lists every wrong field, and the default body names only the first', async () => {
  const refusal = () =>
    gathered((check) => {
      for (const field of ['email', 'items[1].sku'])
        check(() => {
          throw invalid(field, 'is required');
        });
    });
  const error = (() => {
    try {
      return refusal();
    } catch (thrown) {
      return thrown;
    }
  })() as AppError;
  const problem = await answer(error, '/api/v1/orders', 'application/problem+json');
  expect(problem.json()).toMatchObject({
    detail: 'email is required.',
    errors: [
      { pointer: '#/email', code: 'VALIDATION_FAILED', detail: 'email is required.' },
      { pointer: '#/items/1/sku', code: 'VALIDATION_FAILED', detail: 'items[1].sku is required.' },
    ],
  });
  expect((await answer(error, '/api/v2/orders')).json()).toEqual({ error: 'email is required.' });
  expect((await answer(error, '/api/v1/orders')).json()).toEqual({
    error: { code: 'VALIDATION_FAILED', message: 'email is required.' },
  });
});

test('every wrong field that the graph names has its documented name', () => {
  const fault = (field: string) => ({ field, code: 'VALIDATION_FAILED', message: `${field} is wrong.` });
  const errors = [fault('input.birthOn'), fault('input.customAttributes.size')];
  const { message, details } = appErrorOf(
    refused('input.birthOn is wrong.', { reason: 'VALIDATION_FAILED', field: 'input.birthOn', errors }),
    operationOf('CreateMember'),
  );
  expect(message).toBe('birthDate is wrong.');
  expect(details.errors).toEqual([fault('birthDate'), fault('customAttributes.size')]);
});

test('401 says how to authenticate', async () => {
  const response = await answer(unauthenticated('CREDENTIAL_MISSING', 'Send a key.'), '/api/v2/members');
  expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, 'Bearer']);
});

test('429 says when to try again', async () => {
  const response = await answer(rateLimited('Too many.', 12), '/api/v2/members');
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '12']);
});

test('the codes of 405 and 415 decide the status, although their category is that of 400', async () => {
  for (const [code, status] of [
    ['METHOD_NOT_ALLOWED', 405],
    ['MEDIA_TYPE_UNSUPPORTED', 415],
  ] as const) {
    expect((await answer(new AppError('BAD_USER_INPUT', code, 'No.'), '/api/v2/members')).statusCode).toBe(
      status,
    );
  }
});
