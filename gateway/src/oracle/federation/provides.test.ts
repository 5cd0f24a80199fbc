import { answers, fed1, fed2, federate } from './federation.fixture.ts';

const never = () => {
  throw new Error('This is known already.');
};

/** Films whose titles some lists provide, although another subgraph owns them. */
const cinema = federate({
  films: fed2(
    `type Query { owned: Film }
     interface Media { id: ID! title: String }
     type Film implements Media @key(fields: "id") {
       id: ID! title: String @shareable minutes: Int cast: [Actor!]! @shareable
     }
     type Series implements Media @key(fields: "id") { id: ID! title: String minutes: Int }
     type Actor @key(fields: "id") { id: ID! name: String! @shareable }`,
    {
      Query: { owned: () => ({ id: 'f1', title: 'Owned f1' }) },
      Film: {
        __resolveReference: ({ id }) => ({ id, title: `Owned ${id}`, minutes: 90, cast: [{ id: 'a1' }] }),
      },
      Series: { __resolveReference: ({ id }) => ({ id, title: `Owned ${id}`, minutes: 40 }) },
      Actor: { __resolveReference: ({ id }) => ({ id }), name: ({ id }) => `Owned ${id}` },
    },
  ),
  lists: fed2(
    `type Query {
       film: Film
       titled: Film @provides(fields: "title cast { name }")
       weeks: [Week!]! @provides(fields: "days { films { title cast { name } } }") @shareable
       media: Media @provides(fields: "... on Film { title }")
       both: [Either!]! @provides(fields: "... on Film { title }")
     }
     type Week @shareable { days: [Day!]! }
     type Day @shareable { films: [Film!]! }
     union Either = Film | Series
     interface Media { id: ID! }
     type Film implements Media @key(fields: "id") {
       id: ID! title: String @external cast: [Actor!]! @external
     }
     type Series implements Media @key(fields: "id") { id: ID! }
     type Actor @key(fields: "id") { id: ID! name: String! @external }`,
    {
      Query: {
        film: () => ({ id: 'f1' }),
        titled: () => ({ id: 'f1', title: 'Listed f1', cast: [{ id: 'a1', name: 'Listed a1' }] }),
        weeks: () => [{ days: [{ films: [{ id: 'f1', title: 'Listed f1', cast: [] }] }] }],
        media: () => ({ __typename: 'Film', id: 'f1', title: 'Listed f1' }),
        both: () => [
          { __typename: 'Film', id: 'f1', title: 'Listed f1' },
          { __typename: 'Series', id: 's1' },
        ],
      },
      Film: { __resolveReference: never },
    },
  ),
});

answers(cinema, [
  {
    name: 'a provided field spares a request',
    query: '{ titled { title cast { name } } }',
    data: { titled: { title: 'Listed f1', cast: [{ name: 'Listed a1' }] } },
    calls: { lists: 1 },
  },
  {
    name: 'the same field elsewhere comes from its owner',
    query: '{ film { title cast { name } } owned { title } }',
    data: { film: { title: 'Owned f1', cast: [{ name: 'Owned a1' }] }, owned: { title: 'Owned f1' } },
    calls: { lists: 1, films: 2 },
  },
  {
    name: 'fields are provided through two lists of objects',
    query: '{ weeks { days { films { id title cast { name } } } } }',
    data: { weeks: [{ days: [{ films: [{ id: 'f1', title: 'Listed f1', cast: [] }] }] }] },
    calls: { lists: 1 },
  },
  {
    name: 'a field is provided for one type of an interface',
    query: '{ media { id ... on Film { title } } }',
    data: { media: { id: 'f1', title: 'Listed f1' } },
    calls: { lists: 1 },
  },
  {
    name: 'a field is provided for one member of a union, and fetched for the other',
    query: '{ both { ... on Film { title } ... on Series { title minutes } } }',
    data: { both: [{ title: 'Listed f1' }, { title: 'Owned s1', minutes: 40 }] },
    calls: { lists: 1, films: 1 },
  },
]);

/** An interface with a field of its own type; the implementing type narrows it. */
const family = federate({
  people: fed2(
    `type Query { me: Being @provides(fields: "child { ... on Human { age } }") }
     interface Being { child: Being }
     type Human implements Being @key(fields: "id") { id: ID! child: Human @shareable age: Int @external }`,
    {
      Query: {
        me: () => ({ __typename: 'Human', id: 'h1', child: { __typename: 'Human', id: 'h2', age: 7 } }),
      },
    },
  ),
  ages: fed2(
    `type Human @key(fields: "id") { id: ID! child: Human @shareable age: Int @shareable name: String }`,
    {
      Human: {
        child: ({ id }) => ({ id: `${id}+` }),
        age: ({ id }) => id.length,
        name: ({ id }) => `Name ${id}`,
      },
    },
  ),
});

answers(family, [
  {
    name: 'an interface that leads to itself is followed through the type and through the interface',
    query: '{ me { ... on Human { id child { id name } } child { ... on Human { age } __typename } } }',
    data: { me: { id: 'h1', child: { id: 'h2', name: 'Name h2', age: 7, __typename: 'Human' } } },
  },
]);

/** The four spellings of a type that another subgraph owns. */
const spellings = {
  'extend type in federation 1': fed1(
    `extend type Author @key(fields: "id") { id: ID! @external name: String @external books: Int }
     extend type Query { listed: Author named: Author @provides(fields: "name") }`,
  ),
  '@extends in federation 1': fed1(
    `type Author @extends @key(fields: "id") { id: ID! @external name: String @external books: Int }
     type Query @extends { listed: Author named: Author @provides(fields: "name") }`,
  ),
  'extend type in federation 2': fed2(
    `extend type Author @key(fields: "id") { id: ID! @external name: String @external books: Int }
     extend type Query { listed: Author named: Author @provides(fields: "name") }`,
  ),
  '@extends in federation 2': fed2(
    `type Author @extends @key(fields: "id") { id: ID! @external name: String @external books: Int }
     type Query { listed: Author named: Author @provides(fields: "name") }`,
  ),
};

const ownerSdl = (spelling: string): string => {
  const shareable = spelling.endsWith('2') ? '@shareable' : '';
  return `type Query { owned: Author } type Author @key(fields: "id") { id: ID! name: String ${shareable} }`;
};

for (const [spelling, { sdl }] of Object.entries(spellings)) {
  const owner = spelling.endsWith('1') ? fed1 : fed2;
  const shop = federate({
    owner: owner(ownerSdl(spelling), {
      Query: { owned: () => ({ id: 'a', name: 'Owned' }) },
      Author: { __resolveReference: ({ id }) => ({ id, name: `Owned ${id}` }) },
    }),
    books: {
      sdl,
      resolvers: {
        Query: { listed: () => ({ id: 'b', name: 'never' }), named: () => ({ id: 'c', name: 'Provided' }) },
        Author: { books: ({ id }) => id.charCodeAt(0) },
      },
    },
  });
  answers(shop, [
    {
      name: `${spelling}: an external field comes from its owner`,
      query: '{ listed { id name books } }',
      data: { listed: { id: 'b', name: 'Owned b', books: 98 } },
      calls: { books: 1, owner: 1 },
    },
    {
      name: `${spelling}: or from a root that provides it`,
      query: '{ named { name } }',
      data: { named: { name: 'Provided' } },
      calls: { books: 1 },
    },
    {
      name: `${spelling}: the owner's entities get the fields of the extension`,
      query: '{ owned { name books } }',
      data: { owned: { name: 'Owned', books: 97 } },
      calls: { books: 1, owner: 1 },
    },
  ]);
}

/** Federation 1 extensions with two keys, of which only one subgraph knows the second. */
const stock = federate({
  goods: fed1('type Query { goods: [Good] } type Good @key(fields: "id name") { id: ID name: String }', {
    Query: { goods: () => [{ id: 1, name: 'n' }, null] },
  }),
  codes: fed1(
    `extend type Good @key(fields: "id name") @key(fields: "upc") {
       id: ID @external name: String @external upc: String }`,
    { Good: { upc: ({ id, name }) => `${name}${id}` } },
  ),
  weights: fed1('extend type Good @key(fields: "upc") { upc: String @external grams: Int }', {
    Good: { grams: ({ upc }) => upc.length * 10 },
  }),
});

answers(stock, [
  {
    name: 'a federation 1 extension is entered by a key that another extension knows',
    query: '{ goods { grams } }',
    data: { goods: [{ grams: 20 }, null] },
    calls: { goods: 1, codes: 1, weights: 1 },
  },
]);
