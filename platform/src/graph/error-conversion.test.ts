import { expect, test } from '@jest/globals';
import { AppError, conflict, forbidden, internalError, invalid, rateLimited } from '../base/errors.ts';
import { atLeast } from '../base/input-rules.ts';
import { toAppError, toFormattedError, toGraphQLError } from './error-conversion.ts';

test.each([
  invalid('input.amount', 'must be at least 1'),
  invalid('input.amount', atLeast(1)),
  forbidden('ROLE_REQUIRED', 'Ask an owner.', { values: { role: 'OWNER' } }),
  rateLimited('Too many.', 7),
  conflict('MEMBER_EXISTS', 'There is such a member.'),
  internalError(),
  new AppError('BAD_USER_INPUT', 'INVALID_ID', 'a is no id.', {
    field: 'a',
    errors: [
      { field: 'a', code: 'INVALID_ID', message: 'a is no id.' },
      { field: 'b', code: 'VALIDATION_FAILED', message: 'b is required.' },
    ],
  }),
  new AppError('BAD_USER_INPUT', 'TEMPLATE_INVALID', 'No.', { field: 'input.source', line: 2, column: 7 }),
])('what an answer prints of $code is read as the same error', (error) => {
  const { category, code, message, details } = error;
  expect(toAppError(toFormattedError(error))).toMatchObject({ category, code, message, details });
  expect(toGraphQLError(error).toJSON()).toEqual(toFormattedError(error));
});

test('a wrong field is listed where it is the only one, too', () => {
  expect(toFormattedError(invalid('input.amount', 'must be at least 1')).extensions).toEqual({
    code: 'BAD_USER_INPUT',
    reason: 'VALIDATION_FAILED',
    field: 'input.amount',
    errors: [
      { field: 'input.amount', code: 'VALIDATION_FAILED', message: 'input.amount must be at least 1.' },
    ],
  });
});

test('a wrong field says which rule it breaks, with the values of the rule', () => {
  expect(toFormattedError(invalid('input.amount', atLeast(1))).extensions).toEqual({
    code: 'BAD_USER_INPUT',
    reason: 'VALIDATION_FAILED',
    field: 'input.amount',
    errors: [
      {
        field: 'input.amount',
        code: 'VALIDATION_FAILED',
        message: 'input.amount must be at least 1.',
        rule: 'AT_LEAST',
        values: { min: 1 },
      },
    ],
  });
});

test('an error belongs where it was thrown', () => {
  const refused = conflict('MEMBER_CLOSED', 'It is closed.', { path: ['member'] });
  expect(toFormattedError(refused)).toMatchObject({
    path: ['member'],
    extensions: { reason: 'MEMBER_CLOSED' },
  });
  expect(toGraphQLError(refused, { path: ['alias'] }).path).toEqual(['alias']);
});

test.each([undefined, {}, { code: 'GRAPHQL_PARSE_FAILED' }, { code: 7 }, { code: 'toString' }])(
  'an error with the extensions %j is none of ours',
  (extensions) => {
    expect(toAppError({ message: 'Cannot reach 10.0.0.7.', ...(extensions && { extensions }) })).toBeNull();
  },
);

test('of an error of ours only known details are read', () => {
  const extensions = {
    code: 'NOT_FOUND',
    field: 7,
    line: '1',
    retryAfterSeconds: 'soon',
    stack: 'at line 1',
  };
  expect(toAppError({ message: 'No.', extensions })).toMatchObject({ code: 'NOT_FOUND', details: {} });
});
