import { describe, expect, test } from '@jest/globals';
import { buildSchema, type FragmentDefinitionNode, getOperationAST, Kind, parse } from 'graphql';
import type { Data } from '../run/plan-run.ts';
import { compileShape } from './shape.ts';

const schema = buildSchema(`
  type Query {
    text: String  must: String!  int: Int  float: Float  id: ID  yes: Boolean  colour: Colour
    strings: [String!]  grid: [[Int!]!]  loose: [[Int]]
    user: User  owner: User!  users: [User!]  maybe: [User]
    matrix: [[User!]!]!  pet: Pet  pets: [Pet!]  thing: Thing  any: Any
  }
  scalar Any
  enum Colour { RED GREEN }
  type User { id: ID!  name: String  friend: User!  friends: [User!]!  boss: User }
  interface Pet { id: ID!  name: String  owner: User! }
  type Dog implements Pet { id: ID!  name: String  owner: User!  barks: Boolean! }
  type Cat implements Pet { id: ID!  name: String  owner: User!  lives: Int }
  union Thing = User | Dog
`);

function shaped(query: string, data: Data, conditions: Data = {}) {
  const document = parse(query);
  const fragments = document.definitions.filter(
    (each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION,
  );
  const byName = new Map(fragments.map((each) => [each.name.value, each]));
  const shape = compileShape(schema, getOperationAST(document)!, byName, new Map());
  const { data: answer, violations } = shape(data, conditions, {});
  return { data: answer, at: violations.map(({ path }) => path!.join('.')) };
}

type Row = [name: string, query: string, raw: Data, data: unknown, at?: string[]];

describe('a null goes as far up as the schema says', () => {
  test.each<Row>([
    ['a nullable field takes it', '{ text int }', { text: null, int: 1 }, { text: null, int: 1 }],
    ['what is missing is null', '{ text user { name } }', { user: {} }, { text: null, user: { name: null } }],
    [
      'a root that must not be null takes everything',
      '{ text must }',
      { text: 't', must: null },
      null,
      ['must'],
    ],
    [
      'an object takes it for its field',
      '{ text user { id } }',
      { text: 't', user: {} },
      { text: 't', user: null },
      ['user.id'],
    ],
    [
      'over several objects',
      '{ user { boss { friend { friend { id } } } } }',
      { user: { boss: { friend: { friend: { id: null } } } } },
      { user: { boss: null } },
      ['user.boss.friend.friend.id'],
    ],
    ['to the root', '{ owner { friend { id } } }', { owner: { friend: {} } }, null, ['owner.friend.id']],
    [
      'a list takes it for its element',
      '{ strings }',
      { strings: ['a', null] },
      { strings: null },
      ['strings.1'],
    ],
    [
      'a list of elements that may be null keeps the others',
      '{ maybe { id } }',
      { maybe: [{ id: 1 }, {}, null] },
      { maybe: [{ id: 1 }, null, null] },
      ['maybe.1.id'],
    ],
    [
      'lists of lists stop where they may',
      '{ loose }',
      { loose: [[1, null], null] },
      { loose: [[1, null], null] },
    ],
    ['and go on where they must', '{ grid }', { grid: [[1], [2, null]] }, { grid: null }, ['grid.1.1']],
    [
      'a matrix that must be full takes everything',
      '{ matrix { id } }',
      { matrix: [[{ id: 1 }, null]] },
      null,
      ['matrix.0.1'],
    ],
    [
      'every reason is listed',
      '{ users { id friends { id } } pets { id } }',
      { users: [{ id: 1, friends: [{}, {}] }, { id: null }], pets: null },
      { users: null, pets: null },
      ['users.0.friends.0.id', 'users.0.friends.1.id', 'users.1.id'],
    ],
  ])('%s', (_, query, raw, data, at = []) => {
    expect(shaped(query, raw)).toEqual({ data, at });
  });
});

describe('a value that does not fit its type is null', () => {
  test.each<Row>([
    ['String', '{ text }', { text: 1 }, { text: null }, ['text']],
    ['Int, beyond 32 bits', '{ int }', { int: 2 ** 31 }, { int: null }, ['int']],
    ['Int, with a fraction', '{ int }', { int: 1.5 }, { int: null }, ['int']],
    ['Float', '{ float }', { float: '1' }, { float: null }, ['float']],
    ['Boolean', '{ yes }', { yes: 'true' }, { yes: null }, ['yes']],
    ['an enum', '{ colour }', { colour: 'BLUE' }, { colour: null }, ['colour']],
    [
      'a list',
      '{ strings users { id } }',
      { strings: 'a', users: {} },
      { strings: null, users: null },
      ['strings', 'users'],
    ],
    ['an element of a list', '{ grid }', { grid: [['1']] }, { grid: null }, ['grid.0.0']],
    ['an object', '{ user { name boss { name } } }', { user: 5 }, { user: null }, ['user']],
    [
      'an object that is a list, or a text',
      '{ user { boss { name } friend { boss { name } } } }',
      { user: { boss: [], friend: { boss: 'b' } } },
      { user: { boss: null, friend: { boss: null } } },
      ['user.boss', 'user.friend.boss'],
    ],
    [
      'an object of a list',
      '{ maybe { name } thing { ... on Dog { name } } }',
      { maybe: [{ name: 'n' }, 'x'], thing: 'y' },
      { maybe: [{ name: 'n' }, null], thing: null },
      ['maybe.1', 'thing'],
    ],
    [
      'what is nested too deeply to be written again',
      '{ text any }',
      { text: 't', any: JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) },
      { text: 't', any: null },
      ['any'],
    ],
    [
      'a type that nobody knows',
      '{ pet { id } }',
      { pet: { __typename: 'Ghost', id: 1 } },
      { pet: null },
      ['pet'],
    ],
  ])('%s', (_, query, raw, data, at = []) => {
    expect(shaped(query, raw)).toEqual({ data, at });
  });

  test('and one that does is left as it came', () => {
    const raw = { int: -1, float: 2, id: 7, yes: false, colour: 'RED', any: { is: [1, 'x'] } };
    expect(shaped('{ int float id yes colour any }', raw)).toEqual({ data: raw, at: [] });
  });
});

describe('an answer holds what was asked, in that order, and nothing else', () => {
  test('keys that a plan fetched for itself are left out', () => {
    const { data } = shaped('{ user { name } text }', {
      user: { id: 1, __typename: 'User', name: 'n' },
      text: 't',
    });
    expect(JSON.stringify(data)).toBe('{"user":{"name":"n"},"text":"t"}');
  });

  test('fields asked several times are one, with everything asked of them', () => {
    const query = `{ user { id } ...F user { boss { name } } }
      fragment F on Query { user { boss { id } ...G } } fragment G on User { name }`;
    const user = { id: 1, name: 'n', boss: { id: 2, name: 'b' } };
    expect(JSON.stringify(shaped(query, { user }).data)).toBe(
      '{"user":{"id":1,"boss":{"id":2,"name":"b"},"name":"n"}}',
    );
  });

  test('fragments count by the type of each object', () => {
    const query = '{ pets { __typename name ... on Dog { barks } ... on Cat { lives t: __typename } } }';
    const pets = [
      { __typename: 'Cat', name: 'c', lives: 9, barks: true },
      { __typename: 'Dog', name: 'd', lives: 9, barks: true },
    ];
    expect(shaped(query, { pets }).data).toEqual({
      pets: [
        { __typename: 'Cat', name: 'c', lives: 9, t: 'Cat' },
        { __typename: 'Dog', name: 'd', barks: true },
      ],
    });
  });

  test('a union leaves an empty object where no fragment is meant', () => {
    expect(shaped('{ thing { ... on Dog { id } } }', { thing: { __typename: 'User', id: 1 } }).data).toEqual({
      thing: {},
    });
  });

  test.each([
    [
      { a: true, b: true },
      { text: 't', user: { name: 'n' } },
    ],
    [
      { a: true, b: false },
      { text: 't', user: { name: 'n', id: 1 } },
    ],
    [{ a: false, b: true }, { user: { name: 'n' } }],
    [{ a: false, b: false }, { user: { name: 'n', id: 1 } }],
  ])('fields and fragments are there while their conditions hold: %j', (conditions, data) => {
    const query = `query ($a: Boolean!, $b: Boolean!) {
      text @include(if: $a) ... @include(if: $a) @skip(if: $a) { int }
      user { name ... @skip(if: $b) { id } boss @include(if: false) { id } }
    }`;
    const raw = { text: 't', int: 1, user: { name: 'n', id: 1, boss: { id: 2 } } };
    expect(shaped(query, raw, conditions).data).toEqual(data);
  });

  test('names that every object has are fields like others', () => {
    const raw = JSON.parse('{ "__proto__": "p", "constructor": "c", "hasOwnProperty": null }');
    const query = '{ __proto__: text constructor: text hasOwnProperty: text toString: text }';
    const { data } = shaped(query, raw);
    expect(JSON.stringify(data)).toBe(
      '{"__proto__":"p","constructor":"c","hasOwnProperty":null,"toString":null}',
    );
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    const guarded = shaped('query ($a: Boolean!) { __proto__: text @include(if: $a) }', raw, { a: true });
    expect(JSON.stringify(guarded.data)).toBe('{"__proto__":"p"}');
  });
});
