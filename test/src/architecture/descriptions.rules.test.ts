import { describe, expect, test } from '@jest/globals';
import * as descriptions from './descriptions.rules.ts';
import { faults } from './faults.fixture.ts';

const tiers = 'subgraphs/loyalty/src/tiers/tiers/tiers.graphql';
const stores = 'subgraphs/commerce/src/stores/stores/stores.graphql';

describe('an element of the graph', () => {
  test('needs a description, whatever its kind', () => {
    const sdl = [
      'type Tier {',
      'rank(',
      'of: Int): Int }',
      'enum Basis {',
      'ROLLING }',
      'input Rank {',
      'least: Int }',
      'scalar Day',
      'union Step = Tier',
      'interface Job { "Said." id: ID! }',
      'directive @secret on FIELD_DEFINITION',
    ].join('\n');
    const lines = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((line) => `${tiers}:${line}`);
    expect(faults(descriptions.described, { [tiers]: sdl })).toEqual(lines);
  });

  test('needs only one description when several subgraphs have it', () => {
    const texts = {
      [tiers]: '"A level."\ntype Tier @key(fields: "id") { "Never changes." id: ID! }',
      [stores]: 'type Tier @key(fields: "id", resolvable: false) { id: ID! }\nextend type Query { a: Int }',
    };
    expect(faults(descriptions.described, texts)).toEqual([`${stores}:2`]);
  });

  test('needs a description that adds to its name', () => {
    const sdl = [
      '"A level of the programme." type Tier {',
      '"The id of the tier." id: ID!',
      '"Points balance." pointsBalance: Int!',
      '"Higher is better." rank: Int!',
      '}',
    ].join('\n');
    expect(faults(descriptions.sayMore, { [tiers]: sdl })).toEqual([`${tiers}:2`, `${tiers}:3`]);
  });
});

test('the parts of a page have the same descriptions in all lists', () => {
  const sdl = [
    'extend type Query { tiers(',
    '"Items on the page, at most 200. Default: 50." first: Int',
    '"A cursor." after: String',
    '"Reads back from this cursor: `startCursor` of the page after." before: String',
    'offset: Int): Int }',
    'type TierConnection {',
    '"Its tiers." nodes: [Tier!]!',
    '"Of all pages." revenue: Int!',
    '}',
    'type TierEdge { "The item itself." node: Tier! }',
  ].join('\n');
  const lines = [3, 5, 7].map((line) => `${tiers}:${line}`);
  expect(faults(descriptions.pages, { [tiers]: sdl })).toEqual(lines);
});

test('a scalar names its specification', () => {
  const texts = {
    'platform/src/graph/prelude.graphql':
      'scalar Date @specifiedBy(url: "https://datatracker.ietf.org/doc/html/rfc3339")\nscalar Day',
  };
  expect(faults(descriptions.scalars, texts)).toEqual(['platform/src/graph/prelude.graphql:2']);
});
