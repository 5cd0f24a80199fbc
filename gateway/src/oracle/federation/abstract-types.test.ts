import { answers, fed2, federate } from './federation.fixture.ts';

/** A union whose members differ between subgraphs, and fields that return it. */
const note = { __typename: 'Note', text: 'n' };
const photo = { __typename: 'Photo', pixels: 5, place: { town: 'T' } };
const song = { __typename: 'Song', beats: 9 };
const box = (...items: object[]) => ({ id: 'box', inner: { items } });

const boxes = federate({
  left: fed2(
    `type Query { left: Box! anyBox: Box! @shareable single: Note @shareable lone: [Lone!]! }
     type Box @key(fields: "id") { id: ID! inner: Inner @shareable }
     type Inner @shareable { items: [Item!]! }
     union Item = Note | Photo
     union Lone = Note | Only
     type Only { mark: Int }
     type Note @shareable { text: String }
     type Photo { pixels(zoom: Int = 1): Int place: Place }
     type Place { town: String }`,
    {
      Query: {
        left: () => box(note, photo),
        anyBox: () => box(note),
        single: () => note,
        lone: () => [note, { __typename: 'Only', mark: 1 }],
      },
      Photo: { pixels: ({ pixels }, { zoom }) => pixels * zoom },
    },
  ),
  right: fed2(
    `type Query { right: Box! anyBox: Box! @shareable single: Item @shareable }
     type Box @key(fields: "id") { id: ID! inner: Inner @shareable own: Inner }
     type Inner @shareable { items: [Item!]! }
     union Item = Note | Song
     type Note @shareable { text: String }
     type Song { beats: Int }`,
    {
      Query: { right: () => box(note, song), anyBox: () => box(note), single: () => note },
      Box: { __resolveReference: () => box(song), own: () => box(song).inner },
    },
  ),
});

const every = `__typename ... on Note { text } ... on Photo { pixels place { town } } ... on Song { beats }`;

answers(boxes, [
  {
    name: 'members are asked for that every subgraph knows that may answer, the others are null',
    query: `{ left { inner { items { ${every} } } } right { inner { items { ${every} } } } }`,
    data: {
      left: { inner: { items: [note, { __typename: 'Photo', pixels: null, place: null }] } },
      right: { inner: { items: [note, { __typename: 'Song', beats: null }] } },
    },
    calls: { left: 1, right: 1 },
  },
  {
    name: 'fragments on types that never come leave empty objects',
    query: '{ left { inner { items { ... on Song { beats } } } } }',
    data: { left: { inner: { items: [{}, {}] } } },
    calls: { left: 1 },
  },
  {
    name: 'behind a field that only one subgraph has, its members are asked for',
    query: `{ left { own { items { ${every} } } } anyBox { inner { items { ${every} } } } }`,
    data: { left: { own: { items: [song] } }, anyBox: { inner: { items: [note] } } },
  },
  {
    name: 'a field is a union here and one of its members there',
    query: '{ single { __typename ... on Note { text } ... on Song { beats } } }',
    data: { single: { __typename: 'Note', text: 'n' } },
    calls: { left: 1 },
  },
  {
    name: 'a union of types without keys is answered whole',
    query: '{ lone { a: __typename b: __typename ... on Note { text } ... on Only { mark } } }',
    data: {
      lone: [
        { a: 'Note', b: 'Note', text: 'n' },
        { a: 'Only', b: 'Only', mark: 1 },
      ],
    },
  },
]);

/** Types that implement an interface in one subgraph only, and fields that differ by type. */
const kennel = federate({
  pets: fed2(
    `type Query { pets: [Pet!]! animals: [Animal!]! node(id: ID!): Node mixed: [Mixed!]! }
     interface Node { id: ID! }
     interface Animal { id: ID! sound: String }
     interface Furry { coat: String }
     union Pet = Dog | Cat | Fish
     union Mixed = Dog | Toy
     type Dog implements Node & Animal & Furry @key(fields: "id") {
       id: ID! sound: String coat: String tag: Int!
     }
     type Cat implements Node & Animal & Furry @key(fields: "id") {
       id: ID! sound: String coat: String tag: Int
     }
     type Fish implements Node & Animal @key(fields: "id") { id: ID! sound: String }
     type Toy { tag: String price: Int }`,
    {
      Query: {
        pets: () => [
          { __typename: 'Dog', id: 'd', coat: 'brown', tag: 1, sound: 'wow' },
          { __typename: 'Cat', id: 'c', coat: 'grey' },
          { __typename: 'Fish', id: 'f' },
        ],
        animals: () => [
          { __typename: 'Dog', id: 'd', sound: 'wow', tag: 1 },
          { __typename: 'Fish', id: 'f', sound: null },
        ],
        node: (_, { id }) => ({ __typename: id === 'd' ? 'Dog' : 'Fish', id }),
        mixed: () => [
          { __typename: 'Dog', id: 'd', tag: 1 },
          { __typename: 'Toy', tag: 'T', price: 2 },
        ],
      },
    },
  ),
  vet: fed2(
    `interface ClinicAnimal { id: ID! weight: Int }
     type Dog implements ClinicAnimal @key(fields: "id") { id: ID! weight: Int }
     type Fish implements ClinicAnimal @key(fields: "id") { id: ID! weight: Int pond: String }
     type Query { clinicAnimals: [ClinicAnimal!]! }`,
    {
      Query: { clinicAnimals: () => [{ __typename: 'Fish', id: 'f' }] },
      Dog: { weight: () => 20 },
      Fish: { weight: () => 1, pond: () => 'big' },
    },
  ),
});

answers(kennel, [
  {
    name: 'an interface of one subgraph is asked of a union of another',
    query: '{ pets { __typename ... on ClinicAnimal { weight } ... on Furry { coat ... on Dog { tag } } } }',
    data: {
      pets: [
        { __typename: 'Dog', weight: 20, coat: 'brown', tag: 1 },
        { __typename: 'Cat', coat: 'grey' },
        { __typename: 'Fish', weight: 1 },
      ],
    },
    calls: { pets: 1, vet: 1 },
  },
  {
    name: 'fields of an interface come from where each type has them',
    query: `{ animals { id sound ...P } clinicAnimals { __typename id weight ... on Animal { id } } }
      fragment P on Fish { pond }`,
    data: {
      animals: [
        { id: 'd', sound: 'wow' },
        { id: 'f', sound: null, pond: 'big' },
      ],
      clinicAnimals: [{ __typename: 'Fish', id: 'f', weight: 1 }],
    },
  },
  {
    name: 'a node is taken further by its type',
    query: `{ dog: node(id: "d") { ...N } fish: node(id: "f") { ...N } }
      fragment N on Node { id ... on Dog { weight } }`,
    data: { dog: { id: 'd', weight: 20 }, fish: { id: 'f' } },
  },
  {
    name: 'fields of one name and different types keep apart',
    query: '{ mixed { ... on Dog { number: tag } ... on Toy { tag price } } pets { ... on Dog { tag } } }',
    data: { mixed: [{ number: 1 }, { tag: 'T', price: 2 }], pets: [{ tag: 1 }, {}, {}] },
  },
  {
    name: 'conditions on fragments hold, also against each other',
    query: `query ($yes: Boolean = true, $no: Boolean = false) { pets {
      ... on Dog @include(if: $yes) { id tag @skip(if: $yes) ... @skip(if: $no) { coat } }
      ... on Cat @include(if: $no) { id }
      ... @include(if: $yes) { ... @skip(if: $yes) { __typename } }
    } }`,
    data: { pets: [{ id: 'd', coat: 'brown' }, {}, {}] },
  },
]);

/** `ID` in one subgraph, `ID!` in another: GraphQL forbids selecting both under one name. */
const clubs = federate({
  names: fed2('type Query { people: [Person!]! } type Person { id: ID @shareable }', {
    Query: { people: () => [{ id: 1 }] },
  }),
  clubs: fed2(
    `type Query { members: [Member!]! }
     union Member = Person | Robot
     type Person @key(fields: "id") { id: ID! name: String friends: [Member!]! }
     type Robot { id: ID name: String friends: [Member!]! }`,
    {
      Query: {
        members: () => [
          { __typename: 'Person', id: 1 },
          { __typename: 'Robot', id: null },
        ],
      },
      Person: {
        name: ({ id }) => `P${id}`,
        friends: () => [{ __typename: 'Robot', id: 7 }],
      },
      Robot: { name: ({ id }) => `R${id}`, friends: () => [{ __typename: 'Person', id: 2 }] },
    },
  ),
});

const both = (fields: string) => `... on Person { ${fields} } ... on Robot { ${fields} }`;

answers(clubs, [
  {
    name: 'a field that is nullable for one member only is asked apart and answered under its name',
    query: `{ people { id name } members { ${both(`id name friends { ${both('id name')} }`)} } }`,
    data: {
      people: [{ id: '1', name: 'P1' }],
      members: [
        { id: '1', name: 'P1', friends: [{ id: '7', name: 'R7' }] },
        { id: null, name: 'Rnull', friends: [{ id: '2', name: 'P2' }] },
      ],
    },
  },
]);
