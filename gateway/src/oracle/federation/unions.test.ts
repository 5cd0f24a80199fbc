import { expect, test } from '@jest/globals';
import { answers, fed2, federate } from './federation.fixture.ts';

/** A union whose members differ between subgraphs; only one subgraph has a path to it. */
const steps = federate({
  flow: fed2(
    `type Query { start: Reply }
     type Reply @shareable { text: String steps: [Step!]! }
     union Step = Ask | Wait | Stop
     type Ask @shareable { prompt: String }
     type Wait { seconds(scale: Int = 1): Int }
     type Stop { reason: Reason }
     type Reason { code: Int! }`,
    {
      Query: {
        start: () => ({
          text: 't',
          steps: [
            { __typename: 'Ask', prompt: 'p' },
            { __typename: 'Wait', seconds: 5 },
            { __typename: 'Stop', reason: { code: 7 } },
          ],
        }),
      },
      Wait: { seconds: ({ seconds }, { scale }) => seconds * scale },
    },
  ),
  other: fed2(
    `type Query { hello: String }
     type Reply @shareable { text: String steps: [Step!]! }
     union Step = Ask
     type Ask @shareable { prompt: String }`,
  ),
});

answers(steps, [
  {
    name: 'members that another subgraph lacks are answered where only one subgraph leads to them',
    query: `query ($scale: Int!, $no: Boolean = false) { start { text steps {
      __typename ...A ... on Wait { long: seconds(scale: $scale) seconds @include(if: $no) }
      ... on Stop { reason { code } }
    } } } fragment A on Ask { prompt }`,
    variables: { scale: 2 },
    data: {
      start: {
        text: 't',
        steps: [
          { __typename: 'Ask', prompt: 'p' },
          { __typename: 'Wait', long: 10 },
          { __typename: 'Stop', reason: { code: 7 } },
        ],
      },
    },
    calls: { flow: 1 },
  },
  {
    name: 'also where nothing else is asked for',
    query: '{ start { steps { ... on Stop { reason { code } } } } }',
    data: { start: { steps: [{}, {}, { reason: { code: 7 } }] } },
    calls: { flow: 1 },
  },
]);

/** A union of types with keys in one subgraph and without keys in others, under shared roots and objects. */
const shelf = { __typename: 'Shelf', id: 's', label: 'shelf', width: 9 };
const rack = { __typename: 'Rack', id: 'r', label: 'rack', width: 3 };

const store = federate({
  hall: fed2(
    `type Query {
       place: Place @shareable mine: Place @shareable some: Shelf @shareable site: Site @shareable
     }
     union Place = Shelf | Rack
     type Shelf @key(fields: "id") { id: ID! label: String! @shareable width: Int! }
     type Rack @key(fields: "id") { id: ID! label: String! @shareable width: Int! }
     type Site { place: Place @shareable some: Shelf @shareable rack: Place }`,
    {
      Query: {
        place: () => shelf,
        mine: () => shelf,
        some: () => shelf,
        site: () => ({ place: shelf, some: shelf, rack }),
      },
    },
  ),
  yard: fed2(
    `type Query { place: Place @shareable some: Place @shareable site: Site @shareable }
     union Place = Shelf | Tent
     type Shelf { label: String! @shareable }
     type Tent { label: String! @shareable poles: Int }
     type Site { place: Place @shareable some: Place @shareable }`,
    {
      Query: { place: () => shelf, some: () => shelf, site: () => ({ place: shelf, some: shelf }) },
    },
  ),
});

const labels = '__typename ... on Shelf { label } ... on Rack { label } ... on Tent { label }';

answers(store, [
  {
    name: 'a member of the other subgraph only leaves an empty object',
    query: '{ place { ... on Tent { label } } site { place { ... on Tent { label poles } } } }',
    data: { place: {}, site: { place: {} } },
  },
  {
    name: 'a member of both is answered beside members of one',
    query: `{ place { ${labels} } some { ${labels} } mine { ${labels} ... on Shelf { width } } }`,
    data: {
      place: { __typename: 'Shelf', label: 'shelf' },
      some: { __typename: 'Shelf', label: 'shelf' },
      mine: { __typename: 'Shelf', label: 'shelf', width: 9 },
    },
  },
  {
    name: 'shared and single fields of a shared object each have their members',
    query: `{ site { place { ${labels} } some { ${labels} } rack { ${labels} ... on Rack { width } } } }`,
    data: {
      site: {
        place: { __typename: 'Shelf', label: 'shelf' },
        some: { __typename: 'Shelf', label: 'shelf' },
        rack: { __typename: 'Rack', label: 'rack', width: 3 },
      },
    },
  },
]);

/**
 * Blocks of a page that all show a product; a requirement of one block fails for the products of the others.
 */
const block = (type: string, product: string, more = {}) => ({
  __typename: type,
  product: { id: product },
  ...more,
});

const pages = federate({
  pages: fed2(
    `type Query { block: Block blocks: [[Block!]!]! titled: [Titled!]! }
     union Block = Banner | Offer | Teaser
     interface Titled { title: String product: Product }
     type Banner implements Titled { title: String product: Product inner: [Block!] }
     type Offer implements Titled { title: String product: Product }
     type Teaser { product: Product }
     type Product @key(fields: "id") { id: ID! }`,
    {
      Query: {
        block: () => block('Offer', 'sold'),
        blocks: () => [
          [block('Banner', 'good', { inner: [block('Offer', 'sold')] }), block('Offer', 'sold')],
          [block('Teaser', 'good'), block('Teaser', 'bad')],
        ],
        titled: () => [block('Banner', 'good'), block('Offer', 'sold')],
      },
    },
  ),
  stock: fed2('type Query { _s: Int } type Product @key(fields: "id") { id: ID! stock: Int! left: Int }', {
    Product: {
      stock({ id }) {
        if (id !== 'good') throw new Error(`${id} is not in stock.`);
        return 3;
      },
      left: () => 1,
    },
  }),
  prices: fed2('type Query { _p: Int } type Product @key(fields: "id") { id: ID! price: Int! }', {
    Product: {
      price({ id }) {
        if (id === 'bad') throw new Error(`${id} has no price.`);
        return 8;
      },
    },
  }),
});

answers(pages, [
  {
    name: 'a subgraph is not asked about an object of another type than the client asked about',
    query: '{ block { ... on Banner { product { stock } } ... on Offer { product { price } } } }',
    data: { block: { product: { price: 8 } } },
    calls: { pages: 1, prices: 1 },
  },
  {
    name: 'nor in lists of lists and within members, where each type asks for something else',
    query: `{ blocks {
      ... on Banner { product { stock } inner { ... on Offer { product { left } } } }
      ... on Offer { product { price } } ... on Teaser { product { id } }
    } }`,
    data: {
      blocks: [
        [{ product: { stock: 3 }, inner: [{ product: { left: 1 } }] }, { product: { price: 8 } }],
        [{ product: { id: 'good' } }, { product: { id: 'bad' } }],
      ],
    },
  },
  {
    name: 'what the client asked about a type is an error where it fails, and only there',
    query: `{ blocks { ... on Banner { product { stock } } ... on Teaser { product { stock } } } }`,
    data: {
      blocks: [
        [{ product: { stock: 3 } }, {}],
        [{ product: { stock: 3 } }, { product: null }],
      ],
    },
    errors: [{ message: 'bad is not in stock.', path: ['blocks', 1, 1, 'product', 'stock'] }],
    calls: { pages: 1, stock: 1 },
  },
  {
    name: 'implementations of an interface are told apart, too',
    query: '{ titled { title ... on Banner { product { stock } } ... on Offer { product { price } } } }',
    data: {
      titled: [
        { title: null, product: { stock: 3 } },
        { title: null, product: { price: 8 } },
      ],
    },
    calls: { pages: 1, stock: 1, prices: 1 },
  },
]);

test('the same of several types is one request, with the entities of these types alone', async () => {
  const price = 'product { price }';
  const { data, calls } = await pages.ask(
    `{ blocks { ... on Banner { ${price} } ... on Offer { ${price} } ... on Teaser { product { id } } } }`,
  );
  expect(data).toMatchObject({
    blocks: [
      [{ product: { price: 8 } }, { product: { price: 8 } }],
      [{}, {}],
    ],
  });
  const asked = calls.filter(({ subgraph }) => subgraph === 'prices');
  expect(asked.map(({ representations }) => representations)).toEqual([
    [
      { __typename: 'Product', id: 'good' },
      { __typename: 'Product', id: 'sold' },
    ],
  ]);
});
