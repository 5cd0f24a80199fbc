import { expect, test } from '@jest/globals';
import { answers, fed2, federate } from './federation.fixture.ts';

/** Rooms of a hotel, whose price is computed from fields of other subgraphs. */
const rooms = [
  { id: 'r1', beds: 2, wing: 'east', floor: 1 },
  { id: 'r2', beds: 3, wing: 'west', floor: 2 },
];
const find = ({ id }: { id: string }) => rooms.find((room) => room.id === id);
const given = (reference: object) => reference;

const hotel = federate({
  house: fed2(
    `type Query { rooms: [Room!]! }
     type Room @key(fields: "id") {
       id: ID! beds: Int wing: Wing floor: Int
       rate(currency: String!, nights: Int = 1): Int
       guests(first: Int!): [Guest!]!
     }
     type Wing @shareable { name: String! stars(scale: Int!): Int! }
     type Guest @shareable { id: ID! }`,
    {
      Query: { rooms: () => rooms },
      Room: {
        __resolveReference: find,
        wing: ({ wing }) => ({ name: wing }),
        rate: ({ beds }, { currency, nights }) => beds * nights * (currency === 'EUR' ? 10 : 12),
        guests: ({ id }, { first }) => ['a', 'b', 'c'].slice(0, first).map((name) => ({ id: id + name })),
      },
      Wing: { stars: ({ name }, { scale }) => (name === 'east' ? 1 : 2) * scale },
    },
  ),
  prices: fed2(
    `type Room @key(fields: "id") {
       id: ID!
       beds: Int @external
       wing: Wing @external
       rate(currency: String!, nights: Int = 1): Int @external
       guests(first: Int!): [Guest!]! @external
       size: String @requires(fields: "beds wing { name }")
       label: String @requires(fields: "beds wing { name }")
       euros: String @requires(fields: "rate(currency: \\"EUR\\") beds")
       dollars: String @requires(fields: "rate(currency: \\"USD\\") beds")
       week: String @requires(fields: "rate(nights: 7, currency: \\"EUR\\")")
       weekAgain: String @requires(fields: "rate(currency: \\"EUR\\", nights: 7)")
       stars: Int @requires(fields: "wing { stars(scale: 5) }")
       points: Int @requires(fields: "wing { stars(scale: 100) }")
       third: String @requires(fields: "guests(first: 3) { id }")
     }
     type Wing @shareable { name: String! stars(scale: Int!): Int! @external }
     type Guest @shareable { id: ID! }`,
    {
      Room: {
        __resolveReference: given,
        size: ({ beds, wing }) => `${beds} in ${wing.name}`,
        label: ({ beds, wing }) => `${wing.name} ${beds}`,
        euros: ({ rate, beds }) => `€${rate}/${beds}`,
        dollars: ({ rate, beds }) => `$${rate}/${beds}`,
        week: ({ rate }) => `${rate} a week`,
        weekAgain: ({ rate }) => `${rate} per week`,
        stars: ({ wing }) => wing.stars,
        points: ({ wing }) => wing.stars,
        third: ({ guests }) => guests[2].id,
      },
    },
  ),
});

answers(hotel, [
  {
    name: 'required fields are sent along and not shown',
    query: '{ rooms { id size } }',
    data: {
      rooms: [
        { id: 'r1', size: '2 in east' },
        { id: 'r2', size: '3 in west' },
      ],
    },
    calls: { house: 1, prices: 1 },
  },
  {
    name: 'two fields that require the same are one request, and the client may ask for it too',
    query: '{ rooms { label beds size wing { name } } }',
    data: {
      rooms: [
        { label: 'east 2', beds: 2, size: '2 in east', wing: { name: 'east' } },
        { label: 'west 3', beds: 3, size: '3 in west', wing: { name: 'west' } },
      ],
    },
    calls: { house: 1, prices: 1 },
  },
  {
    name: 'an alias of the client does not hide what is required',
    query: '{ rooms { beds: floor size id: beds } }',
    data: {
      rooms: [
        { beds: 1, size: '2 in east', id: 2 },
        { beds: 2, size: '3 in west', id: 3 },
      ],
    },
  },
  {
    name: 'a call with other arguments by the client does not change what is required',
    query: 'query ($c: String = "USD") { rooms { rate(currency: $c) euros third guests(first: 1) { id } } }',
    data: {
      rooms: [
        { rate: 24, euros: '€20/2', third: 'r1c', guests: [{ id: 'r1a' }] },
        { rate: 36, euros: '€30/3', third: 'r2c', guests: [{ id: 'r2a' }] },
      ],
    },
    calls: { house: 1, prices: 1 },
  },
  {
    name: 'the same call through two fragments is one, beside the one that is required',
    query: `query ($n: Int = 2) { rooms { ...A ...B third } }
      fragment A on Room { guests(first: $n) { id } } fragment B on Room { guests(first: $n) { id } }`,
    data: {
      rooms: [
        { guests: [{ id: 'r1a' }, { id: 'r1b' }], third: 'r1c' },
        { guests: [{ id: 'r2a' }, { id: 'r2b' }], third: 'r2c' },
      ],
    },
  },
  {
    name: 'two fields that require one field with different arguments each get their own value',
    query: '{ rooms { euros dollars size rate(currency: "GBP", nights: 10) } }',
    data: {
      rooms: [
        { euros: '€20/2', dollars: '$24/2', size: '2 in east', rate: 240 },
        { euros: '€30/3', dollars: '$36/3', size: '3 in west', rate: 360 },
      ],
    },
    calls: { house: 1, prices: 2 },
  },
  {
    name: 'also where a fragment asks for them, twice',
    query: `query ($yes: Boolean = true, $no: Boolean = false) {
      rooms { ...F @include(if: $yes) ... @skip(if: $no) { ...F } } } fragment F on Room { dollars euros }`,
    data: {
      rooms: [
        { dollars: '$24/2', euros: '€20/2' },
        { dollars: '$36/3', euros: '€30/3' },
      ],
    },
  },
  {
    name: 'the same holds for fields of required objects',
    query: '{ rooms { stars points wing { stars(scale: 1) } } }',
    data: {
      rooms: [
        { stars: 5, points: 100, wing: { stars: 1 } },
        { stars: 10, points: 200, wing: { stars: 2 } },
      ],
    },
    calls: { house: 1, prices: 2 },
  },
  {
    name: 'the same arguments in another order are the same call',
    query: '{ rooms { week weekAgain } }',
    data: {
      rooms: [
        { week: '140 a week', weekAgain: '140 per week' },
        { week: '210 a week', weekAgain: '210 per week' },
      ],
    },
    calls: { house: 1, prices: 1 },
  },
  {
    name: 'what stands in for a required call is no field of the graph',
    query: '{ __type(name: "Room") { fields { name } } rooms { week } }',
    data: {
      __type: {
        fields: [
          'id beds wing floor rate guests',
          'size label euros dollars week weekAgain stars points third',
        ]
          .join(' ')
          .split(' ')
          .map((name) => ({ name })),
      },
      rooms: [{ week: '140 a week' }, { week: '210 a week' }],
    },
  },
]);

test('subgraphs get required fields with arguments under the plain names of the fields', async () => {
  const { calls } = await hotel.ask('{ rooms { euros dollars } }');
  const sent = calls.filter(({ subgraph }) => subgraph === 'prices').map((call) => call.representations);
  expect(sent).toEqual([
    [
      { __typename: 'Room', rate: 20, beds: 2, id: 'r1' },
      { __typename: 'Room', rate: 30, beds: 3, id: 'r2' },
    ],
    [
      { __typename: 'Room', rate: 24, beds: 2, id: 'r1' },
      { __typename: 'Room', rate: 36, beds: 3, id: 'r2' },
    ],
  ]);
});
