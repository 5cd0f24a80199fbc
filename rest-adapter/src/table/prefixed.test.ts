import { expect, test } from '@jest/globals';
import { AppError } from '@loyalty/platform/base/errors';
import { accessesIn, schemaOf } from '../adapter.fixture.ts';
import { appErrorOf } from '../errors.ts';
import { nothing } from '../input.fixture.ts';
import { readVariables } from '../input.ts';
import { openApi } from '../openapi/openapi.ts';
import { GET } from './row.ts';
import { readOperation } from './row-operation.ts';

const schema = schemaOf(/* GraphQL */ `
  directive @access(scopes: [[String!]!], callers: [String!]) on FIELD_DEFINITION
  scalar JSONObject
  type Query {
    "Things."
    things(first: Int, "Values by field." filters: JSONObject): Things! @access(scopes: [["things:read"]])
  }
  type Things { totalCount: Int! }
`);
const text = `query ListThings($limit: Int, $filters: JSONObject) {
  reply: things(first: $limit, filters: $filters) { total: totalCount } }`;
const row = GET('/api/v2/things', { toString: () => text }, { prefixed: { f_: 'filters' } });
const operation = readOperation(text, schema);
const read = (query: Record<string, unknown>) => readVariables(row, operation, { ...nothing, query });
const refusal = (query: Record<string, unknown>) => {
  try {
    return read(query);
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : error;
  }
};

test('query parameters with the prefix are collected under the rest of their names, as text', () => {
  expect(read({ limit: '2', f_status: 'open', f_score: '3', f___proto__: 'x' })).toEqual({
    limit: 2,
    filters: Object.fromEntries([
      ['status', 'open'],
      ['score', '3'],
      ['__proto__', 'x'],
    ]),
  });
  expect(read({})).toEqual({});
});

test('the variable itself, another prefix, a repeated parameter and a NUL are refused', () => {
  expect(refusal({ filters: '{}' })).toBe(
    'UNKNOWN_FIELD: filters is not a field of this request; known are limit.',
  );
  expect(refusal({ g_status: 'x' })).toMatch(/^UNKNOWN_FIELD: g_status/);
  expect(refusal({ f_status: ['a', 'b'] })).toBe('VALIDATION_FAILED: f_status is given more than once.');
  expect(refusal({ f_status: 'a\0' })).toMatch(/^VALIDATION_FAILED: f_status must not contain/);
});

test('an error of the graph names the parameter as it was sent', () => {
  const error = {
    message: 'filters.score must be a number.',
    extensions: { code: 'BAD_USER_INPUT', reason: 'VALIDATION_FAILED', field: 'filters.score' },
  };
  expect(appErrorOf(error, operation, row.prefixed)).toMatchObject({
    message: 'f_score must be a number.',
    details: { field: 'f_score' },
  });
});

test('OpenAPI describes one object; a generated client sends its properties as parameters', () => {
  const document = openApi('v2', { rows: [row], schema, access: accessesIn(schema) });
  const { parameters } = (document.paths['/api/v2/things'] as { get: { parameters: object[] } }).get;
  expect(parameters).toEqual([
    expect.objectContaining({ name: 'limit' }),
    {
      name: 'filters',
      in: 'query',
      required: false,
      style: 'form',
      explode: true,
      description: 'One parameter per field, such as `f_status=open`. Values by field.',
      schema: {
        type: 'object',
        propertyNames: { pattern: '^f_.' },
        additionalProperties: { type: 'string' },
      },
      example: { f_status: 'open' },
    },
  ]);
  // With `form` and `explode`, a client sends each property as a parameter of its own.
  const { example } = parameters[1] as { example: Record<string, string> };
  expect(read(Object.fromEntries(new URLSearchParams(example)))).toEqual({ filters: { status: 'open' } });
});
