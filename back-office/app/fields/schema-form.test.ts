import { expect, test } from '@jest/globals';
import { fieldsOf, type JsonSchema } from './schema-fields.ts';
import { faultsByKey, faultsOf, objectOf, type TypedValues, typedOf } from './schema-values.ts';

const ZONE = 'Europe/Lisbon';
const t = (key: string, values: object = {}): string => [key, ...Object.values(values)].join(' ');

const object = (properties: JsonSchema, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
});
const kindsOf = (properties: JsonSchema, ...required: string[]) =>
  Object.fromEntries(fieldsOf(object(properties, ...required)).map(({ name, kind }) => [name, kind]));
const MEMBER = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

test('what a form knows has its own input, and anything else is JSON', () => {
  const kinds = kindsOf(
    {
      name: { type: 'string' },
      run_id: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] },
      limit: { type: 'integer', minimum: 1, maximum: 200 },
      version: { type: 'string', enum: ['std-1', 'std-2'] },
      kind: { const: 'A' },
      maybe: { const: 'B' },
      isOpen: { type: 'boolean' },
      cart: { type: 'array', items: { type: 'string' } },
      budget: object({ amount: { type: 'number' } }),
      numbers: { type: 'array', items: { type: 'number' } },
      details: { type: 'object', additionalProperties: {} },
      either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      any: {},
      broken: true,
    },
    'kind',
  );
  expect(kinds).toEqual({
    ...{ name: 'text', run_id: 'text', limit: 'number', version: 'choice', kind: 'fixed', maybe: 'choice' },
    ...{ isOpen: 'flag', cart: 'texts', budget: 'group', numbers: 'json', details: 'json', either: 'json' },
    ...{ any: 'json', broken: 'json' },
  });
});

test('fields are called by their titles, or by their names as words', () => {
  const labels = fieldsOf(object({ horizon_days: {}, storeId: {}, x: { title: 'Share' } }));
  expect(labels.map(({ label }) => label)).toEqual(['Horizon days', 'Store id', 'Share']);
});

const SCHEMA = object(
  {
    member_id: { type: 'string', format: 'uuid' },
    limit: { type: 'integer', minimum: 1, maximum: 20, default: 5 },
    rate: { type: 'number', minimum: 0 },
    version: { enum: ['std-1', 2, null] },
    isOpen: { type: 'boolean' },
    isLive: { type: 'boolean' },
    cart: { type: 'array', items: { type: 'string', maxLength: 3 }, minItems: 1, maxItems: 2 },
    code: { type: 'string', minLength: 2, pattern: '^[A-Z]+$' },
    decided_at: { type: 'string', format: 'date-time' },
    on: { type: 'string', format: 'date' },
    details: { type: 'object' },
    'a.b/c': { type: 'string' },
    kind: { const: 7 },
    note: { type: ['string', 'null'] },
    budget: object({ amount: { type: 'number' }, currency: { const: 'EUR' } }, 'amount', 'currency'),
  },
  ...['member_id', 'isLive', 'kind', 'note'],
);
const fields = fieldsOf(SCHEMA);
const typed = (change: TypedValues): TypedValues => ({ ...typedOf(fields, ZONE), ...change });
const sent = (change: TypedValues) => objectOf(fields, typed(change), ZONE);

test('what is optional and empty is absent; defaults, fixed values and switches are sent', () => {
  const least = { member_id: MEMBER, limit: 5, isLive: false, kind: 7, note: null };
  expect(sent({ member_id: MEMBER })).toEqual(least);
  expect(sent({ member_id: MEMBER, limit: '' })).not.toHaveProperty('limit');
});

test('what was typed becomes values of their types', () => {
  const values = {
    ...{ member_id: MEMBER, limit: 3, rate: 0.5, version: 2, isOpen: false, isLive: true },
    ...{ cart: ['a', 'b'], code: 'AB', decided_at: '2026-07-01T09:30:00.000Z', on: '2026-07-01' },
    ...{ details: { a: [1] }, 'a.b/c': 'x', kind: 7, note: 'N', budget: { amount: 2, currency: 'EUR' } },
  };
  const change: TypedValues = {
    ...{ member_id: MEMBER, limit: '3', rate: '0.5', version: '2', isOpen: 'false', isLive: 'true' },
    ...{ cart: ['a', 'b'], code: 'AB', decided_at: '2026-07-01T10:30', on: '2026-07-01' },
    ...{ details: '{"a":[1]}', 'a~2b~1c': 'x', note: 'N', 'budget/amount': 2 },
  };
  expect(sent(change)).toEqual(values);
  expect(objectOf(fields, typedOf(fields, ZONE, values), ZONE)).toEqual(values);
});

test('each field says which of its rules is broken', () => {
  const change: TypedValues = {
    ...{ limit: 21, rate: -1, cart: ['long', 'b'], code: 'ab', details: '{' },
  };
  expect(faultsOf(fields, typed(change), t)).toEqual({
    member_id: 'form.required',
    limit: 'schema.range both 1 20',
    rate: 'schema.range least 0 0',
    cart: 'schema.lengthOfEach most 0 3',
    code: 'schema.pattern',
    details: 'json.fault 1 2',
  });
  const faults = faultsOf(fields, typed({ member_id: 'x', limit: 1.5, cart: ['a', 'b', 'c'], code: 'A' }), t);
  expect(faults).toEqual({
    ...{ member_id: 'schema.uuid', limit: 'schema.whole', cart: 'schema.count both 1 2' },
    code: 'schema.length least 2 0',
  });
});

test('what a group requires is required only where the group is', () => {
  const needing = (isRequired: boolean) => {
    const inner = object({ a: { type: 'string' }, b: { type: 'string', default: 'x' } }, 'a');
    const found = fieldsOf(object({ group: inner }, ...(isRequired ? ['group'] : [])));
    return faultsOf(found, typedOf(found, ZONE), t);
  };
  expect(needing(false)).toEqual({});
  expect(needing(true)).toEqual({ 'group/a': 'form.required' });
});

test('faults of a server stand at the nearest field of their path', () => {
  const found = faultsByKey(fields, [
    { path: 'arguments.cart.0', message: 'first' },
    { path: 'arguments.cart[1]', message: 'second' },
    { path: 'arguments.budget.amount', message: 'amount' },
    { path: 'arguments.budget.unknown', message: 'budget' },
    { path: 'arguments.other', message: 'other' },
  ]);
  expect(found).toEqual({ cart: 'first', 'budget/amount': 'amount', budget: 'budget' });
});
