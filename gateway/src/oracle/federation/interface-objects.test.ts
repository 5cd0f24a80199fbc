import { expect } from '@jest/globals';
import { answers, fed2, federate } from './federation.fixture.ts';

const cars = [
  { __typename: 'Van', id: 'v1', wheels: 4, load: 900 },
  { __typename: 'Bike', id: 'b1', wheels: 2, gears: 7 },
];
const find = ({ id }: { id: string }) => cars.find((car) => car.id === id) ?? null;

/** One subgraph has an interface and its types; in two others it is an object. */
const garage = federate({
  fleet: fed2(
    `type Query { fleet: [Vehicle!]! van: Van }
     interface Vehicle @key(fields: "id") { id: ID! wheels: Int! place: String }
     type Van implements Vehicle @key(fields: "id") {
       id: ID! wheels: Int! place: String @shareable load: Int
     }
     type Bike implements Vehicle @key(fields: "id") {
       id: ID! wheels: Int! place: String @shareable gears: Int
     }`,
    {
      Query: { fleet: () => cars, van: () => cars[0] },
      Vehicle: { __resolveReference: find, __resolveType: ({ __typename }) => __typename },
      Van: { __resolveReference: find, place: () => 'fleet' },
      Bike: { __resolveReference: find, place: () => 'fleet' },
    },
  ),
  rides: fed2(
    `type Query { ridden: [Vehicle!]! lost: Vehicle }
     type Vehicle @interfaceObject @key(fields: "id") {
       id: ID! rides: Int! wheels: Int! @external
       tyres: String! @requires(fields: "wheels") place: String @shareable
     }`,
    {
      Query: {
        ridden: () => [{ id: 'b1', __typename: 'Vehicle' }, { id: 'v1' }],
        lost: () => ({ id: 'nowhere' }),
      },
      Vehicle: {
        __resolveReference: (vehicle) => vehicle,
        rides: ({ id }) => (id === 'v1' ? 10 : 20),
        tyres: ({ wheels }) => `${wheels} tyres`,
        place: () => 'rides',
      },
    },
  ),
  trips: fed2(
    `type Query { trip: Trip } type Trip { vehicles: [Vehicle!]! }
     type Vehicle @interfaceObject @key(fields: "id", resolvable: false) { id: ID! }`,
    { Query: { trip: () => ({ vehicles: [{ id: 'v1' }] }) } },
  ),
  law: fed2(`type Van @key(fields: "id") { id: ID! permit: String }`, {
    Van: { permit: ({ id }) => `permit ${id}` },
  }),
});

answers(garage, [
  {
    name: 'fields of an interface object are answered for every type of the interface',
    query: '{ fleet { id rides } van { rides load } }',
    data: {
      fleet: [
        { id: 'v1', rides: 10 },
        { id: 'b1', rides: 20 },
      ],
      van: { rides: 10, load: 900 },
    },
  },
  {
    name: 'an interface object alone needs nobody else',
    query: '{ ridden { id rides place } }',
    data: {
      ridden: [
        { id: 'b1', rides: 20, place: 'rides' },
        { id: 'v1', rides: 10, place: 'rides' },
      ],
    },
    calls: { rides: 1 },
  },
  {
    name: 'the true type of an interface object is asked of the interface',
    query: '{ ridden { a: __typename b: __typename ... on Van { load } ... on Bike { id gears } } }',
    data: {
      ridden: [
        { a: 'Bike', b: 'Bike', id: 'b1', gears: 7 },
        { a: 'Van', b: 'Van', load: 900 },
      ],
    },
  },
  {
    name: 'a fragment inside an interface object knows its type first',
    query: '{ ridden { rides ... on Van { rides id __typename } } }',
    data: { ridden: [{ rides: 20 }, { rides: 10, id: 'v1', __typename: 'Van' }] },
  },
  {
    name: 'what an interface object requires comes from the interface, from either side',
    query: '{ fleet { tyres } ridden { tyres wheels ... on Van { tyres load } } }',
    data: {
      fleet: [{ tyres: '4 tyres' }, { tyres: '2 tyres' }],
      ridden: [
        { tyres: '2 tyres', wheels: 2 },
        { tyres: '4 tyres', wheels: 4, load: 900 },
      ],
    },
  },
  {
    name: 'a third subgraph adds to one type, reached through the interface and through the object',
    query: '{ fleet { ... on Van { permit } } trip { vehicles { id wheels ... on Van { permit } } } }',
    data: {
      fleet: [{ permit: 'permit v1' }, {}],
      trip: { vehicles: [{ id: 'v1', wheels: 4, permit: 'permit v1' }] },
    },
  },
  {
    name: 'an interface object whose type nobody knows keeps what is known of it',
    query: '{ lost { id ... on Van { load } } trip { vehicles { rides } } }',
    data: { lost: { id: 'nowhere' }, trip: { vehicles: [{ rides: 10 }] } },
  },
  {
    name: 'a field of one type cannot be asked of the interface',
    query: '{ ridden { load } }',
    data: null,
    errors: [{ message: expect.stringContaining('Cannot query field "load" on type "Vehicle".') }],
  },
]);

/** An interface without implementations. */
const empty = federate({
  a: fed2('interface Thing @key(fields: "id") { id: ID! } type Query { thing: Thing }', {
    Query: { thing: () => ({ __typename: 'Thing', id: 1 }) },
  }),
  b: fed2(
    `type Thing @interfaceObject @key(fields: "id", resolvable: false) { id: ID! size: Int }
     type Query { object: Thing }`,
    { Query: { object: () => ({ id: 2, size: 3 }) } },
  ),
});

answers(empty, [
  {
    name: 'the object of an interface without types is answered as it is',
    query: '{ object { id size } }',
    data: { object: { id: '2', size: 3 } },
  },
  {
    name: 'where a subgraph cannot tell the type, its error is passed on',
    query: '{ thing { id } }',
    data: { thing: null },
    errors: [{ path: ['thing'] }],
  },
  {
    name: 'what no plan can reach is an error, not a wrong answer',
    query: '{ thing { size } }',
    data: null,
    errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
  },
]);
