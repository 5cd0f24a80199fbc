import { expect, test } from '@jest/globals';
import { answers, fed2, federate } from './federation.fixture.ts';

const given = (reference: object) => reference;

/** Chains of required fields that have requirements themselves, some of them hidden from clients. */
let tolls = 0;
const railway = federate({
  timetable: fed2('type Query { other: Train! } type Train @key(fields: "id") { id: ID! }', {
    Query: { other: () => ({ id: 't' }) },
  }),
  lines: fed2(
    `type Query { train: Train! trains: [Train!]! machine: Machine }
     interface Machine { id: ID! }
     type Train implements Machine @key(fields: "id") {
       id: ID! cars: Int!
       weight: Int! @external
       speed: Int! @requires(fields: "weight")
       driver: Driver!
     }
     type Driver @key(fields: "id") { id: ID! }`,
    {
      Query: {
        train: () => ({ id: 't', cars: 4, driver: { id: 'd' } }),
        machine: () => ({ __typename: 'Train', id: 't', cars: 4 }),
        trains: () => [1, 2].map((cars) => ({ id: cars, cars, driver: { id: 'd' } })),
      },
      Train: {
        __resolveReference: (reference) => ({ cars: 4, driver: { id: 'd' }, ...reference }),
        speed: ({ weight }) => 400 - weight,
      },
    },
  ),
  scales: fed2(
    `type Train @key(fields: "id") {
       id: ID!
       cars: Int! @external
       tare: Int! @external
       weight: Int! @requires(fields: "cars tare")
     }`,
    { Train: { __resolveReference: given, weight: ({ cars, tare }) => cars * tare } },
  ),
  depot: fed2(
    `type Train @key(fields: "id") {
       id: ID!
       tare: Int! @inaccessible
       speed: Int! @external
       hours: Int @requires(fields: "speed")
       driver: Driver! @external
       greeting: String @requires(fields: "driver { mood }")
     }
     type Driver @key(fields: "id") { id: ID! mood: String @external }`,
    {
      Train: {
        __resolveReference: given,
        tare: () => 50,
        hours: ({ speed }) => {
          tolls += 1;
          return Math.floor(1000 / speed);
        },
        greeting: ({ driver }) => `The driver is ${driver.mood}.`,
      },
    },
  ),
  people: fed2(
    `type Driver @key(fields: "id") {
       id: ID! boss: Boss @external mood: String @requires(fields: "boss { name }")
     }
     type Boss @key(fields: "id") { id: ID! name: String @external }`,
    { Driver: { __resolveReference: given, mood: ({ boss }) => `happy with ${boss.name}` } },
  ),
  staff: fed2(
    `type Driver @key(fields: "id") { id: ID! boss: Boss }
     type Boss @key(fields: "id") { id: ID! name: String }`,
    { Driver: { __resolveReference: given, boss: () => ({ id: 'b', name: 'Ada' }) } },
  ),
});

answers(railway, [
  {
    name: 'a required field that requires a hidden one is worked out first',
    query: '{ train { speed } }',
    data: { train: { speed: 200 } },
  },
  {
    name: 'a chain returns to the subgraph that it came from',
    query: '{ train { hours weight } }',
    data: { train: { hours: 5, weight: 200 } },
  },
  {
    name: 'a chain through the subgraph that it started in waits for what that one requires',
    query: '{ train { speed hours } trains { all: hours __typename } other { hours speed } }',
    data: {
      train: { speed: 200, hours: 5 },
      trains: [350, 300].map((speed) => ({ all: Math.floor(1000 / speed), __typename: 'Train' })),
      other: { hours: 5, speed: 200 },
    },
  },
  {
    name: 'it waits at every visit, behind an alias and an interface',
    query: '{ other { cars hours } t: machine { ... on Train { cars h: hours } } }',
    data: { other: { cars: 4, hours: 5 }, t: { cars: 4, h: 5 } },
  },
  {
    name: 'two chains run for one entity',
    query: '{ train { hours greeting } }',
    data: { train: { hours: 5, greeting: 'The driver is happy with Ada.' } },
  },
  {
    name: 'a hidden field cannot be asked for',
    query: '{ train { tare } }',
    data: null,
    errors: [{ message: 'Cannot query field "tare" on type "Train". Did you mean "cars"?' }],
  },
]);

test('@skip and @include, also by a default, switch a whole chain off', async () => {
  tolls = 0;
  const query = `query ($on: Boolean = false) { train { id hours @include(if: $on) speed @skip(if: true) } }`;
  const off = await railway.ask(query);
  expect(off.data).toEqual({ train: { id: 't' } });
  expect(tolls).toBe(0);
  const on = await railway.ask(query, { on: true });
  expect(on.data).toEqual({ train: { id: 't', hours: 5 } });
  expect(tolls).toBe(1);
});
