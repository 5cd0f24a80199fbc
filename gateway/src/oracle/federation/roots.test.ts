import { expect, test } from '@jest/globals';
import { answers, fed2, federate } from './federation.fixture.ts';

/** A root object and a list of them, with a part in each subgraph; no key joins the parts. */
const part = (name: string, field: string) =>
  fed2(
    `type Query { house: House @shareable houses: [House!]! @shareable }
     type House { address: Address @shareable ${field}: String }
     type Address @shareable { street: String }`,
    {
      Query: {
        house: () => ({ [field]: `${name} 0`, address: { street: 'S' } }),
        houses: () => [1, 2].map((n) => ({ [field]: `${name} ${n}`, address: { street: `S${n}` } })),
      },
    },
  );

answers(federate({ roofs: part('roof', 'roof'), gates: part('gate', 'gate'), walls: part('wall', 'wall') }), [
  {
    name: 'a shared root is asked of everybody who has a part of it',
    query: '{ house { roof gate wall address { street } } }',
    data: { house: { roof: 'roof 0', gate: 'gate 0', wall: 'wall 0', address: { street: 'S' } } },
    calls: { roofs: 1, gates: 1, walls: 1 },
  },
  {
    name: 'a shared list is merged by position',
    query: '{ houses { wall roof } }',
    data: {
      houses: [
        { wall: 'wall 1', roof: 'roof 1' },
        { wall: 'wall 2', roof: 'roof 2' },
      ],
    },
    calls: { roofs: 1, walls: 1 },
  },
]);

let steps: string[] = [];
let balance = 0;
const step = (name: string, change: (balance: number) => number) => {
  steps.push(name);
  balance = change(balance);
  return balance;
};

const bank = federate({
  cash: fed2(
    `type Query { account: Account! }
     type Mutation { put(amount: Int!): Int! close: Account! fail: Int ping: String @shareable }
     type Account @key(fields: "id") { id: ID! balance: Int! }`,
    {
      Query: { account: () => ({ id: 'a', balance }) },
      Mutation: {
        put: (_, { amount }) => step('put', (was) => was + amount),
        fail: () => {
          throw new Error('No.');
        },
        close: () => ({ id: 'a', balance: step('close', () => 0) }),
        ping: () => step('ping', (was) => was) && 'pong',
      },
    },
  ),
  interest: fed2(
    `type Query { _unused: Int }
     type Mutation { double: Int! ping: String @shareable }
     type Account @key(fields: "id") {
       id: ID! balance: Int! @external verdict: String! @requires(fields: "balance")
     }`,
    {
      Mutation: {
        double: () => step('double', (was) => was * 2),
        ping: () => step('ping', (was) => was) && 'pong',
      },
      Account: {
        __resolveReference: (account) => account,
        verdict: ({ balance: sum }) => (sum === 0 ? 'empty' : 'full'),
      },
    },
  ),
});

test('fields of a mutation run one after the other, over several subgraphs, with what they require', async () => {
  [steps, balance] = [[], 1];
  const query = 'mutation { a: put(amount: 4) double b: put(amount: 2) close { verdict balance } }';
  const { data, errors, calls } = await bank.ask(query);
  expect(data).toEqual({ a: 5, double: 10, b: 12, close: { verdict: 'empty', balance: 0 } });
  expect(errors).toBeUndefined();
  expect(steps).toEqual(['put', 'double', 'put', 'close']);
  expect(calls.map(({ subgraph }) => subgraph)).toEqual(['cash', 'interest', 'cash', 'interest']);
});

test('a mutation that several subgraphs share is run by one of them', async () => {
  [steps, balance] = [[], 1];
  const { data } = await bank.ask('mutation { ping }');
  expect(data).toEqual({ ping: 'pong' });
  expect(steps).toEqual(['ping']);
});

test('a mutation that fails does not keep the next one from running', async () => {
  [steps, balance] = [[], 1];
  const { data, errors } = await bank.ask('mutation { fail put(amount: 3) }');
  expect(data).toEqual({ fail: null, put: 4 });
  expect(errors).toMatchObject([{ message: 'No.', path: ['fail'] }]);
  expect(steps).toEqual(['put']);
});
