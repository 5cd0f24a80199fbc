import { expect, test } from '@jest/globals';
import { print } from 'graphql';
import { rowOf, schema } from '../adapter.fixture.ts';
import { readOperation } from './row-operation.ts';

const parametersOf = (name: string) =>
  Object.fromEntries(
    readOperation(rowOf(name).document, schema).parameters.map((parameter) => [parameter.name, parameter]),
  );

test('a parameter has the path of the argument that uses its variable, also inside an input', () => {
  const { email, birthDate, storeId } = parametersOf('CreateMember');
  expect([email, birthDate, storeId].map((parameter) => parameter?.argument)).toEqual([
    'input.email',
    'input.birthOn',
    'input.homeStoreId',
  ]);
});

test('a parameter has the argument of a nested field that uses its variable', () => {
  expect(parametersOf('MemberPoints')['limit']).toMatchObject({
    argument: 'first',
    defaultValue: 10,
    description: 'Default: 10.',
  });
});

test('a parameter with an unused variable has no argument', () => {
  const [parameter] = readOperation('query Idle($limit: Int) { reply: tiers { id } }', schema).parameters;
  expect(parameter).toMatchObject({ name: 'limit', argument: null, description: null });
});

test('a parameter has the description of its argument in the graph', () => {
  expect(parametersOf('ListMembers')['search']?.description).toBe('Part of the name.');
  expect(parametersOf('CreateMember')['email']?.description).toBe('Unique.');
});

test('a parameter has the default of the document', () => {
  expect(parametersOf('ListMembers')).toMatchObject({
    limit: { defaultValue: 50 },
    offset: { defaultValue: 0 },
  });
});

test('the fields of an operation include nested fields, each with its type', () => {
  expect(readOperation(rowOf('MemberTier').document, schema).fields).toEqual([
    'Query.member',
    'Member.tier',
    'Tier.id',
    'Tier.name',
    'Tier.status',
    'Query.tiers',
  ]);
});

test('a document with a type that the graph lacks is refused at start', () => {
  const text = 'query Broken($id: Nothing!) { reply: member(id: $id) { id } }';
  expect(() => readOperation(text, schema)).toThrow('$id of Broken has a type that the graph lacks.');
});

test('a named fragment is replaced by its selections, also inside another fragment', () => {
  const text = `query Spread($id: ID!) { reply: member(id: $id) { ...M } } fragment T on Tier { name }
    fragment M on Member { id tier { ...T } }`;
  const spelled = 'query Spread($id: ID!) { reply: member(id: $id) { id tier { name } } }';
  expect(print(readOperation(text, schema).definition)).toBe(
    print(readOperation(spelled, schema).definition),
  );
  expect(readOperation(text, schema).fields).toEqual(readOperation(spelled, schema).fields);
});
