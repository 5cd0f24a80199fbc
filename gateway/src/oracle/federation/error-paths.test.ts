import { expect, test } from '@jest/globals';
import { answers, fed2, federate } from './federation.fixture.ts';

const fail = (message: string) => () => {
  throw new Error(message);
};

/**
 * The whole graph has `Person` for both members, one subgraph does not, so the planner renames one of them.
 */
const clubs = federate({
  clubs: fed2(
    `type Query { members: [Member!]! }
     union Member = Person | Robot
     type Person @key(fields: "id") { id: ID! boss: Person! @shareable friends: [Person!]! @shareable }
     type Robot { boss: Person friends: [Person!] }`,
    {
      Query: {
        members: () => [
          { __typename: 'Person', id: 1 },
          { __typename: 'Robot', id: 2 },
        ],
      },
      Person: { boss: () => ({ id: 3 }), friends: () => [{ id: 4 }, { id: 5 }] },
      Robot: { boss: () => ({ id: 6 }), friends: () => [{ id: 7 }, { id: 8 }] },
    },
  ),
  names: fed2(
    `type Query { _n: Int }
     type Person @key(fields: "id") {
       id: ID! name: String nick: Name boss: Person @shareable friends: [Person!] @shareable
     }
     type Name { text: String }`,
    {
      Person: {
        name: ({ id }) => (Number(id) % 2 ? `P${id}` : fail(`${id} has no name.`)()),
        nick: () => ({}),
      },
      Name: { text: fail('Nobody says.') },
    },
  ),
});

const ofBoth = (fields: string) => `{ members { ... on Person { ${fields} } ... on Robot { ${fields} } } }`;

answers(clubs, [
  {
    name: 'an error below an aliased field that the planner renamed has the name of the client',
    query: ofBoth('head: boss { name }'),
    data: { members: [{ head: { name: 'P3' } }, { head: { name: null } }] },
    errors: [{ message: '6 has no name.', path: ['members', 1, 'head', 'name'] }],
  },
  {
    name: 'also in its lists, under further aliases and below an entity of another subgraph',
    query: ofBoth('all: friends { called: nick { as: text } }'),
    data: {
      members: [1, 2].map(() => ({ all: [{ called: { as: null } }, { called: { as: null } }] })),
    },
    errors: [0, 1].flatMap((member) =>
      [0, 1].map((friend) => ({ path: ['members', member, 'all', friend, 'called', 'as'] })),
    ),
  },
]);

/** Failures of the renamed field itself, and of fields below it in the same subgraph. */
const teams = federate({
  loose: fed2(
    'type Query { _l: Int } type Team @shareable { lead: Lead size: Int } type Lead @shareable { name: String }',
  ),
  teams: fed2(
    `type Query { units: [Unit!]! one: Unit }
     union Unit = Team | Crew
     type Team @shareable { lead: Lead! size: Int! }
     type Crew { lead: Lead size: Int }
     type Lead @shareable { name: String }`,
    {
      Query: {
        units: () => [
          { __typename: 'Team', lead: {}, size: 1 },
          { __typename: 'Crew', lead: {} },
        ],
        one: () => ({ __typename: 'Crew', lead: {} }),
      },
      Crew: { size: fail('Nobody counts.') },
      Lead: { name: fail('Nobody leads.') },
    },
  ),
});

test('of a field that is renamed in its own subgraph, at the root, in a list and below', async () => {
  const both = '... on Team { at: lead { by: name } n: size } ... on Crew { at: lead { by: name } n: size }';
  const { data, errors, calls } = await teams.ask(`{ units { ${both} } it: one { ${both} } }`);
  expect(calls[0]!.query).toMatch(/at__alias_\d+:lead/);
  expect(data).toEqual({
    units: [
      { at: { by: null }, n: 1 },
      { at: { by: null }, n: null },
    ],
    it: { at: { by: null }, n: null },
  });
  expect(errors!.map(({ path }) => path!.join('.')).sort()).toEqual([
    'it.at.by',
    'it.n',
    'units.0.at.by',
    'units.1.at.by',
    'units.1.n',
  ]);
});
