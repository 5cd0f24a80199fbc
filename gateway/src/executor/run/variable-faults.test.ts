import { expect, test } from '@jest/globals';
import {
  type GraphQLInputType,
  getOperationAST,
  getVariableValues,
  isInputObjectType,
  isNonNullType,
  parse,
} from 'graphql';
import { composeSupergraph } from '../../supergraph/compose.ts';
import { apiSchemaOf } from '../../supergraph/supergraph-sdl.ts';
import { variableFaults } from './variable-faults.ts';

const schema = apiSchemaOf(composeSupergraph());
const mutations = Object.values(schema.getMutationType()!.getFields());

interface Place {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly defaultValue?: unknown;
}

const isRequired = ({ type, defaultValue }: Place) => isNonNullType(type) && defaultValue === undefined;

/** Returns the required fields of an input object argument; [] for other arguments. */
function requiredOf({ name, type }: Place): string[] {
  const nullable = isNonNullType(type) ? type.ofType : type;
  if (!isInputObjectType(nullable)) return [];
  return Object.values(nullable.getFields())
    .filter(isRequired)
    .map((field) => `${name}.${field.name}`);
}

const definitionsOf = (types: string) =>
  getOperationAST(parse(`query (${types}) { __typename }`))!.variableDefinitions!;

const inputs = mutations.flatMap(({ name, args }) =>
  args
    .filter((arg) => requiredOf(arg).length >= 2)
    .map((arg) => [`${name}(${arg.name})`, arg, requiredOf(arg)] as const),
);

test('there are such inputs', () => {
  expect(inputs.length).toBeGreaterThan(40);
});

test.each(inputs)('%s without any field names all that it requires', (_, arg, required) => {
  const faults = variableFaults(schema, definitionsOf(`$${arg.name}: ${arg.type}`), { [arg.name]: {} });
  expect(faults).toEqual(
    required.map((field) => ({
      field,
      code: 'VALIDATION_FAILED',
      message: `${field} is required.`,
      rule: 'REQUIRED',
    })),
  );
});

const several = mutations
  .filter(({ args }) => args.filter(isRequired).length >= 2)
  .map(({ name, args }) => [name, args.filter(isRequired)] as const);

test.each(several)('%s without any argument names all that it requires', (_, args) => {
  const definitions = definitionsOf(args.map(({ name, type }) => `$${name}: ${type}`).join(', '));
  expect(variableFaults(schema, definitions, {}).map(({ field }) => field)).toEqual(
    args.map(({ name }) => name),
  );
});

test('each fault is at its own place: unknown, null, of another type, in a list', () => {
  const definitions = definitionsOf('$id: ID!, $input: CreateStoreInput!');
  const hours = [
    { weekday: 'MONDAY', opensAt: 5, closesAt: '18:00' },
    { weekday: 'MONDY', opensAt: '09:00' },
  ];
  const input = { name: null, latitude: 'north', hours, colour: 'red' };
  const fault = { code: 'VALIDATION_FAILED' };
  const missing = { ...fault, rule: 'REQUIRED' };
  expect(variableFaults(schema, definitions, { input })).toEqual([
    { ...missing, field: 'id', message: 'id is required.' },
    { ...missing, field: 'input.name', message: 'input.name must not be null.' },
    { ...missing, field: 'input.address', message: 'input.address is required.' },
    expect.objectContaining({ ...fault, field: 'input.latitude', rule: 'NUMBER' }),
    expect.objectContaining({ ...fault, field: 'input.hours[0].opensAt', rule: 'TEXT' }),
    {
      ...fault,
      field: 'input.hours[1].weekday',
      rule: 'ONE_OF',
      message:
        'input.hours[1].weekday does not fit its type: Value "MONDY" does not exist in "Weekday" enum.',
    },
    expect.objectContaining({ ...missing, field: 'input.hours[1].closesAt' }),
    { field: 'input.colour', code: 'UNKNOWN_FIELD', message: 'input.colour is not known.' },
  ]);
});

test('a value that does not fit its type says which rule that is', () => {
  const definitions = definitionsOf('$size: PositiveInt, $email: [EmailAddress!], $day: Date, $at: DateTime');
  const given = { size: 0, email: ['ada'], day: '2026-02-31', at: 'noon' };
  expect(variableFaults(schema, definitions, given)).toMatchObject([
    { field: 'size', rule: 'BETWEEN', values: { min: 1, max: 2_147_483_647 } },
    { field: 'email[0]', rule: 'EMAIL_ADDRESS' },
    { field: 'day', rule: 'DAY' },
    { field: 'at', rule: 'INSTANT' },
  ]);
});

test('faults stand in the order of the errors of graphql-js, one for one', () => {
  const definitions = definitionsOf('$id: ID!, $input: CreateStoreInput!, $first: Int');
  const given = { input: { latitude: 'north', colour: 1 }, first: 'x' };
  const { errors } = getVariableValues(schema, definitions, given, { maxErrors: 50 });
  const faults = variableFaults(schema, definitions, given);
  expect(errors).toHaveLength(faults.length);
  for (const [place, { field }] of faults.entries())
    expect(errors![place]!.message).toContain(field.split('.').at(-1));
});

test('at most fifty faults are listed', () => {
  const input = { name: 'n', address: 'a', hours: Array.from({ length: 200 }, () => ({})) };
  expect(variableFaults(schema, definitionsOf('$input: CreateStoreInput!'), { input })).toHaveLength(50);
});
