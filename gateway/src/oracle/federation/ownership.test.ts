import { answers, fed2, federate } from './federation.fixture.ts';

/** Fields that moved from the old shop to the new one. */
const moving = federate({
  old: fed2(
    `type Query { oldItems: [Item!]! things: [Thing!]! odd: Item @shareable }
     interface Thing { id: ID! made: String }
     type Item implements Thing @key(fields: "id") {
       id: ID! made: String price: Int weight: Int @external
       parcel: String @requires(fields: "weight")
       label: String @override(from: "closed")
     }`,
    {
      Query: {
        oldItems: () => [{ id: '1' }, { id: '2' }],
        things: () => [{ __typename: 'Item', id: '1' }],
        odd: () => ({ id: '3' }),
      },
      Item: {
        __resolveReference: (item) => item,
        made: () => 'never',
        price: () => -1,
        label: ({ id }) => `label ${id}`,
        parcel: ({ id, weight }) => `${id}: ${weight} g`,
      },
    },
  ),
  shop: fed2(
    `type Query { items: [Item!]! madeThings: [Made!]! odd: Item @shareable }
     interface Made { id: ID! made: String }
     type Item implements Made @key(fields: "id") {
       id: ID!
       made: String @override(from: "old")
       price: Int @override(from: "old")
       weight: Int
     }`,
    {
      Query: {
        items: () => [{ id: '1' }],
        madeThings: () => [{ __typename: 'Item', id: '2' }],
        odd: () => ({ id: '3' }),
      },
      Item: {
        made: ({ id }) => `made ${id}`,
        price: ({ id }) => id * 10,
        weight: ({ id }) => id * 100,
      },
    },
  ),
  tax: fed2(
    `type Item @key(fields: "id") { id: ID! price: Int @external tax: Int @requires(fields: "price") }`,
    { Item: { __resolveReference: (item) => item, tax: ({ price }) => price / 10 } },
  ),
});

answers(moving, [
  {
    name: 'a field that was taken over is asked of the one who took it',
    query: '{ oldItems { id price } items { price } odd { price } }',
    data: {
      oldItems: [
        { id: '1', price: 10 },
        { id: '2', price: 20 },
      ],
      items: [{ price: 10 }],
      odd: { price: 30 },
    },
  },
  {
    name: 'the override of a subgraph that is not there changes nothing',
    query: '{ items { label } }',
    data: { items: [{ label: 'label 1' }] },
  },
  {
    name: 'a field that was taken over feeds @requires, also on the way back to where it was',
    query: '{ oldItems { tax parcel } items { tax parcel } }',
    data: {
      oldItems: [
        { tax: 1, parcel: '1: 100 g' },
        { tax: 2, parcel: '2: 200 g' },
      ],
      items: [{ tax: 1, parcel: '1: 100 g' }],
    },
  },
  {
    name: 'a field that was taken over is reached through an interface that only the loser knows',
    query: '{ things { id made } madeThings { made ... on Item { made id } } }',
    data: { things: [{ id: '1', made: 'made 1' }], madeThings: [{ made: 'made 2', id: '2' }] },
  },
]);

/** Values that not every subgraph has, or that clients must not see. */
const colours = { red: 'RED', grey: 'GREY', black: 'BLACK' };
const hidden = federate({
  cars: fed2(
    `type Query {
       cars(hue: Hue = GREY @inaccessible): [Car!]!
       painted(colour: Colour!): String
       found(by: Search): String
     }
     enum Hue @inaccessible { GREY }
     enum Colour { RED GREY BLACK @inaccessible }
     input Search { maker: String year: Int }
     type Car @key(fields: "plate") { plate: ID! colour: Colour @shareable secret: String @inaccessible }`,
    {
      Query: {
        cars: (_, { hue }) => [
          { plate: hue, colour: colours.red },
          { plate: 'b', colour: colours.black },
        ],
        painted: (_, { colour }) => colour,
        found: (_, { by }) => JSON.stringify(by ?? null),
      },
    },
  ),
  lots: fed2(
    `type Query { lots: [Car!]! sold(by: Search): String }
     enum Colour { RED GREY @inaccessible }
     input Search { maker: String }
     type Car @key(fields: "plate") { plate: ID! colour: Colour @shareable }`,
    {
      Query: {
        lots: () => [
          { plate: 'x', colour: colours.red },
          { plate: 'y', colour: colours.black },
        ],
        sold: (_, { by }) => by.maker,
      },
    },
  ),
});

const unfit = { message: 'A subgraph answered a value that does not fit the type of Car.colour.' };

answers(hidden, [
  {
    name: 'a hidden argument keeps its default',
    query: '{ cars { plate } }',
    data: { cars: [{ plate: 'GREY' }, { plate: 'b' }] },
  },
  {
    name: 'a hidden argument cannot be given',
    query: '{ cars(hue: GREY) { plate } }',
    data: null,
    errors: [{ message: 'Unknown argument "hue" on field "Query.cars".' }],
  },
  {
    name: 'a hidden value of an enum is null in an answer, and said to be unfit',
    query: '{ cars { colour } }',
    data: { cars: [{ colour: 'RED' }, { colour: null }] },
    errors: [{ ...unfit, path: ['cars', 1, 'colour'] }],
  },
  {
    name: 'a value that the asked subgraph does not know is its own error',
    query: '{ lots { plate colour } }',
    data: {
      lots: [
        { plate: 'x', colour: 'RED' },
        { plate: 'y', colour: null },
      ],
    },
    errors: [{ message: 'Enum "Colour" cannot represent value: "BLACK"', path: ['lots', 1, 'colour'] }],
  },
  {
    name: 'an enum that goes in has the values that every subgraph shows',
    query: '{ painted(colour: RED) }',
    data: { painted: 'RED' },
  },
  {
    name: 'another value of it is refused before anybody is asked',
    query: '{ painted(colour: BLACK) }',
    data: null,
    errors: [{ message: 'Value "BLACK" does not exist in "Colour" enum.' }],
    calls: {},
  },
  {
    name: 'an input has the fields that every subgraph knows',
    query: '{ found(by: { maker: "m" }) sold(by: { maker: "n" }) }',
    data: { found: '{"maker":"m"}', sold: 'n' },
  },
  {
    name: 'another field of it is refused, in a variable too',
    query: 'query ($by: Search) { found(by: $by) }',
    variables: { by: { year: 1999 } },
    data: null,
    errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    calls: {},
  },
  {
    name: 'a hidden field is no field',
    query: '{ cars { secret } }',
    data: null,
    errors: [{ message: 'Cannot query field "secret" on type "Car".' }],
  },
]);
