import { answers, fed2, federate } from './federation.fixture.ts';

/** Required fields behind interfaces, some of whose types are hidden from clients. */
const addresses: Record<string, object> = {
  p1: { __typename: 'Home', id: 'h', street: 'Elm' },
  p2: { __typename: 'Office', id: 'o', floor: 3 },
  p3: { __typename: 'Cellar', id: 'c', street: 'Low', depth: 2 },
};

const people = federate({
  people: fed2(
    `type Query { people: [Person!]! }
     type Person @key(fields: "id") { id: ID! address: Address }
     interface Address { id: ID! }
     interface Street implements Address { id: ID! street: String }
     type Home implements Address & Street @shareable { id: ID! street: String }
     type Cellar implements Address & Street @shareable @inaccessible { id: ID! street: String depth: Int }
     type Office implements Address @shareable { id: ID! floor: Int }`,
    {
      Query: { people: () => ['p1', 'p2', 'p3'].map((id) => ({ id })) },
      Person: { __resolveReference: ({ id }) => ({ id }), address: ({ id }) => addresses[id] },
    },
  ),
  post: fed2(
    `type Query { post: [Person!]! }
     type Person @key(fields: "id") {
       id: ID!
       address: Address @external
       line: String @requires(fields: "address { id ... on Street { street ... on Cellar { depth } } }")
       homeId: ID @requires(fields: "address { ... on Home { id } }")
     }
     interface Address { id: ID! }
     interface Street implements Address { id: ID! street: String }
     type Home implements Address & Street @shareable { id: ID! street: String }
     type Cellar implements Address & Street @shareable @inaccessible { id: ID! street: String depth: Int }
     type Office implements Address @shareable { id: ID! floor: Int }`,
    {
      Query: { post: () => [{ id: 'p3' }] },
      Person: {
        __resolveReference: (person) => person,
        line: ({ address: { id, street, depth } }) => [id, street, depth].filter(Boolean).join(' '),
        homeId: ({ address }) => address.id ?? null,
      },
    },
  ),
});

const strange = { message: 'A subgraph answered an object of a type that is not part of this graph.' };

answers(people, [
  {
    name: 'required fields go by the type of each object, over two interfaces',
    query: '{ people { id line } }',
    data: {
      people: [
        { id: 'p1', line: 'h Elm' },
        { id: 'p2', line: 'o' },
        { id: 'p3', line: 'c Low 2' },
      ],
    },
    calls: { people: 1, post: 1 },
  },
  {
    name: 'an object of another type than is required is sent without fields, and that is no error',
    query: '{ people { homeId } }',
    data: { people: [{ homeId: 'h' }, { homeId: null }, { homeId: null }] },
  },
  {
    name: 'an object of a hidden type is null to the client, yet what requires it is answered',
    query: '{ post { address { __typename } line } }',
    data: { post: [{ address: null, line: 'c Low 2' }] },
    errors: [{ ...strange, path: ['post', 0, 'address'] }],
  },
  {
    name: 'the client may ask for the same objects in other ways',
    query: '{ people { address { id: __typename ... on Office { number: floor } } line } }',
    data: {
      people: [
        { address: { id: 'Home' }, line: 'h Elm' },
        { address: { id: 'Office', number: 3 }, line: 'o' },
        { address: null, line: 'c Low 2' },
      ],
    },
    errors: [{ ...strange, path: ['people', 2, 'address'] }],
  },
]);

/** Two requirements that differ in the arguments of a field of an interface. */
const galleries = federate({
  art: fed2(
    `type Query { rooms: [Room!]! }
     type Room @key(fields: "id") { id: ID! piece: Piece }
     interface Piece { name(language: String!): String }
     type Painting implements Piece @shareable { name(language: String!): String }
     type Statue implements Piece @shareable { name(language: String!): String }`,
    {
      Query: {
        rooms: () => [
          { id: 1, piece: { __typename: 'Painting' } },
          { id: 2, piece: { __typename: 'Statue' } },
        ],
      },
      Painting: { name: (_, { language }) => `painting (${language})` },
      Statue: { name: (_, { language }) => `statue (${language})` },
    },
  ),
  signs: fed2(
    `type Room @key(fields: "id") {
       id: ID!
       piece: Piece @external
       sign: String @requires(fields: "piece { name(language: \\"en\\") }")
       schild: String @requires(fields: "piece { name(language: \\"de\\") }")
     }
     interface Piece { name(language: String!): String }
     type Painting implements Piece @shareable { name(language: String!): String }
     type Statue implements Piece @shareable { name(language: String!): String }`,
    {
      Room: {
        __resolveReference: (room) => room,
        sign: ({ piece }) => `This is a ${piece.name}`,
        schild: ({ piece }) => `Dies ist: ${piece.name}`,
      },
    },
  ),
});

answers(galleries, [
  {
    name: 'a field of an interface is required with different arguments',
    query: '{ rooms { sign schild piece { name(language: "fr") __typename } } }',
    data: {
      rooms: [
        {
          sign: 'This is a painting (en)',
          schild: 'Dies ist: painting (de)',
          piece: { name: 'painting (fr)', __typename: 'Painting' },
        },
        {
          sign: 'This is a statue (en)',
          schild: 'Dies ist: statue (de)',
          piece: { name: 'statue (fr)', __typename: 'Statue' },
        },
      ],
    },
    calls: { art: 1, signs: 2 },
  },
]);
