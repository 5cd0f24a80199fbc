import { describe, expect, test } from '@jest/globals';
import { faults } from './faults.fixture.ts';
import * as graph from './graph.rules.ts';

const tiers = 'subgraphs/loyalty/src/tiers';

describe('the graph', () => {
  const scopesFile = 'subgraphs/workspace/src/access/scopes.ts';

  test('has no root field without @access', () => {
    const sdl =
      'extend type Query {\n  tiers: [Tier!]! @access\n  tier(id: ID!): Tier\n}\ntype Tier { id: ID! }';
    expect(faults(graph.access, { [`${tiers}/tiers.graphql`]: sdl })).toEqual([`${tiers}/tiers.graphql:3`]);
  });

  test('requires no scope that a key cannot have', () => {
    const texts = {
      [scopesFile]: "export const scopes = ['tiers:read'];",
      [`${tiers}/tiers.graphql`]:
        'extend type Query {\n  a: Int @access(scopes: [["tiers:read"]])\n  b: Int @access(scopes: [["tiers:reed"]])\n}',
    };
    expect(faults(graph.scopes, texts)).toEqual([`${tiers}/tiers.graphql:3`]);
  });

  test('has one owner for every type', () => {
    const texts = {
      [`${tiers}/tiers.graphql`]:
        'type Tier @key(fields: "id") { id: ID! }\ntype Session @shareable { token: String! }',
      'subgraphs/model/src/a/a.graphql': 'type Tier @key(fields: "id", resolvable: false) { id: ID! }',
      'subgraphs/commerce/src/b/b.graphql': 'type Tier { id: ID! }',
      'subgraphs/workspace/src/c/c.graphql': 'type Session @shareable { token: String! }',
    };
    expect(faults(graph.owners, texts)).toEqual(['subgraphs/commerce/src/b/b.graphql:1']);
  });

  test("has no extension of another's type without its key, or of a type without an owner", () => {
    const texts = {
      [`${tiers}/tiers.graphql`]: 'type Tier @key(fields: "id") { id: ID! }\nextend type Tier { rank: Int! }',
      'subgraphs/model/src/a/a.graphql':
        'extend type Tier @key(fields: "id") { id: ID! }\nextend type Tier { x: Int }',
      'subgraphs/commerce/src/b/b.graphql': 'extend type Tier { y: Int }\nextend type Nobody { z: Int }',
    };
    expect(faults(graph.owners, texts)).toEqual([
      'subgraphs/commerce/src/b/b.graphql:1',
      'subgraphs/commerce/src/b/b.graphql:2',
    ]);
  });
});

describe('a field that needs a second subgraph', () => {
  test('is nullable', () => {
    const texts = {
      [`${tiers}/tiers.graphql`]: [
        'type Tier @key(fields: "id") { id: ID!',
        'rank: Int!',
        'owner: Team!',
        'teams: [Team!]',
        '}',
        'type Team @key(fields: "id", resolvable: false) { id: ID! }',
      ].join('\n'),
      'subgraphs/workspace/src/a/a.graphql': [
        'type Team @key(fields: "id") { id: ID! name: String! }',
        'extend type Tier @key(fields: "id") { id: ID!',
        'rank: Int! @external',
        'memberCount: Int!',
        'first: Team',
        '}',
      ].join('\n'),
    };
    expect(faults(graph.nullables, texts)).toEqual([
      `${tiers}/tiers.graphql:3`,
      'subgraphs/workspace/src/a/a.graphql:4',
    ]);
  });
});
