import { expect, test } from '@jest/globals';
import { answers, fed2, federate } from './federation.fixture.ts';

const berths = [
  { code: 'B1', imo: 9001, hull: { yard: 'Y', number: 1 }, ship: 'Alba', tons: 40 },
  { code: 'B2', imo: 9002, hull: { yard: 'Y', number: 2 }, ship: 'Brisa', tons: 50 },
];

/** Each subgraph has another key of a ship, and one of them does not know every ship. */
const harbour = federate({
  berths: fed2(
    `type Query { berths: [Berth!]! ships: [Ship!]! }
     type Berth { code: ID! ship: Ship }
     type Ship @key(fields: "code") { code: ID! }`,
    {
      Query: { berths: () => berths, ships: () => berths.map(({ code }) => ({ code })) },
      Berth: { ship: ({ code }) => ({ code }) },
    },
  ),
  register: fed2(`type Ship @key(fields: "code") @key(fields: "imo") { code: ID! imo: Int }`, {
    Ship: {
      __resolveReference: ({ code }) => (code === 'B2' ? null : berths.find((each) => each.code === code)),
    },
  }),
  insurance: fed2(`type Ship @key(fields: "imo") { imo: Int tons: Int }`, {
    Ship: {
      async __resolveReference({ imo }) {
        if (typeof imo !== 'number') throw new Error('A ship without a number was asked for.');
        return berths.find((each) => each.imo === imo);
      },
    },
  }),
});

answers(harbour, [
  {
    name: 'a key that nobody asked for is fetched on the way and not shown',
    query: '{ ships { tons } }',
    data: { ships: [{ tons: 40 }, { tons: null }] },
    calls: { berths: 1, register: 1, insurance: 1 },
  },
  {
    name: 'an entity whose next key is not known is asked of nobody, and its neighbours are not hurt',
    query: '{ berths { code ship { code imo tons } } }',
    data: {
      berths: [
        { code: 'B1', ship: { code: 'B1', imo: 9001, tons: 40 } },
        { code: 'B2', ship: { code: 'B2', imo: null, tons: null } },
      ],
    },
  },
]);

/** Keys made of objects and of lists of objects; one key is only known after a call to another subgraph. */
const orchard = federate({
  baskets: fed2(
    `type Query { basket: Basket }
     type Basket @key(fields: "fruits { id }") { fruits: [Fruit!]! }
     type Fruit @key(fields: "id") { id: ID! }`,
    { Query: { basket: () => ({ fruits: [{ id: 'f1' }, { id: 'f2' }] }) } },
  ),
  fruits: fed2(
    `type Fruit @key(fields: "id") { id: ID! lot: Lot! @shareable }
     type Lot @shareable { tree: Tree! day: Int! }
     type Tree @shareable { row: Int! place: Int! }`,
    {
      Fruit: {
        __resolveReference: ({ id }) => ({ id, lot: { tree: { row: 1, place: 2 }, day: +id[1]! } }),
      },
    },
  ),
  weights: fed2(
    `type Basket @key(fields: "fruits { id lot { tree { row place } day } }") { fruits: [Fruit!]! grams: Int }
     type Fruit @key(fields: "id lot { tree { row place } day }") { id: ID! lot: Lot! sugar: Int }
     type Lot @shareable { tree: Tree! day: Int! }
     type Tree @shareable { row: Int! place: Int! }`,
    {
      Basket: {
        __resolveReference: (given) => ({
          ...given,
          grams: given.fruits.reduce(
            (sum: number, { lot }: { lot: { day: number } }) => sum + 100 * lot.day,
            0,
          ),
        }),
      },
      Fruit: { sugar: ({ lot }) => lot.day * 10 + lot.tree.place },
    },
  ),
});

answers(orchard, [
  {
    name: 'a key of objects within a list is gathered in stages',
    query: '{ basket { grams fruits { sugar } } }',
    data: { basket: { grams: 300, fruits: [{ sugar: 12 }, { sugar: 22 }] } },
  },
]);

/** A part has no key of its own; it is reached through the whole. */
const factory = federate({
  plan: fed2(
    `type Query { machines: [Machine!]! }
     type Machine @key(fields: "line place") { line: ID! place: ID! motor: Motor! @shareable }
     type Motor @shareable { serial: ID! }`,
    {
      Query: {
        machines: () => [
          { line: 1, place: 2, motor: { serial: 's' } },
          { line: 1, place: 3, motor: { serial: 's' } },
        ],
      },
    },
  ),
  power: fed2(
    `type Machine @key(fields: "line place") { line: ID! place: ID! motor: Motor! @shareable }
     type Motor { watts: Int }`,
    {
      Machine: {
        motor: ({ line, place }) => ({ watts: Number(line + place) }),
      },
    },
  ),
  makers: fed2(
    `type Machine @key(fields: "line place") { line: ID! place: ID! motor: Motor! @shareable }
     type Motor @key(fields: "plate") { plate: ID! }`,
    { Machine: { motor: ({ place }) => ({ plate: `plate-${place}` }) } },
  ),
  guarantee: fed2(`type Motor @key(fields: "plate") { plate: ID! years: Int }`, {
    Motor: { years: ({ plate }) => plate.length },
  }),
});

answers(factory, [
  {
    name: 'a part without a key is fetched by asking for the whole again, and merged into what is known',
    query: '{ machines { line motor { serial watts } } }',
    data: {
      machines: [
        { line: '1', motor: { serial: 's', watts: 12 } },
        { line: '1', motor: { serial: 's', watts: 13 } },
      ],
    },
    calls: { plan: 1, power: 1 },
  },
  {
    name: 'a part gets its key from one subgraph through the whole, and goes on by it to another',
    query: '{ machines { motor { watts years serial } } }',
    data: {
      machines: [
        { motor: { watts: 12, years: 7, serial: 's' } },
        { motor: { watts: 13, years: 7, serial: 's' } },
      ],
    },
    calls: { plan: 1, power: 1, makers: 1, guarantee: 1 },
  },
]);

/** The first key that a subgraph can provide is one that it cannot resolve. */
const archive = federate({
  shelves: fed2(
    `type Query { shelf: Shelf }
     type Shelf @key(fields: "id") { id: ID! folders: [Folder!]! }
     type Folder
       @key(fields: "mark { row }", resolvable: false)
       @key(fields: "id mark { row depth }")
       @key(fields: "id", resolvable: false) {
       id: ID! mark: Mark! title: String! @external spine: String! @requires(fields: "title")
     }
     type Mark @shareable { row: Int! depth: Int! }`,
    {
      Query: { shelf: () => ({ id: 1, folders: [{ id: 'x', mark: { row: 7, depth: 8 } }] }) },
      Folder: {
        __resolveReference: (given) => (given.id && given.mark.depth ? given : null),
        spine: ({ title, mark }) => `${title}/${mark.depth}`,
      },
    },
  ),
  titles: fed2(
    `type Folder @key(fields: "id") @key(fields: "mark { row }", resolvable: false) {
       id: ID! mark: Mark! title: String!
     }
     type Mark @shareable { row: Int! depth: Int! }`,
    { Folder: { __resolveReference: ({ id }) => ({ id, title: `Title ${id}` }) } },
  ),
});

test('a subgraph is returned to by a key that it resolves, not by the first that it can answer', async () => {
  const { data, errors, calls } = await archive.ask('{ shelf { folders { title spine } } }');
  expect(data).toEqual({ shelf: { folders: [{ title: 'Title x', spine: 'Title x/8' }] } });
  expect(errors).toBeUndefined();
  expect(calls.at(-1)!.representations).toEqual([
    { __typename: 'Folder', id: 'x', mark: { row: 7, depth: 8 }, title: 'Title x' },
  ]);
});
