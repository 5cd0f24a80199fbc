/**
 * Four small subgraphs in the dialect of federation 1, which every gateway of the bench reads. Every value
 * follows from its id, so that all of them can be asked for any page and compared.
 */
interface SubgraphSource {
  readonly sdl: string;
  readonly resolvers: Resolvers;
}

// biome-ignore lint/suspicious/noExplicitAny: five types are not worth a generator
export type Resolvers = Readonly<Record<string, Record<string, (...values: any[]) => any>>>;

export const subgraphNames = ['accounts', 'products', 'reviews', 'inventory'] as const;
export type ShopSubgraph = (typeof subgraphNames)[number];

const REVIEWS_PER_PRODUCT = 2;
const USERS = 5_000;
const sentence = 'Sturdy, arrived a day early and does what the page says; the handle could be longer. ';

interface Product {
  readonly upc: string;
  readonly price?: number;
  readonly weight?: number;
}

const numberOf = (id: string): number => Number(id.slice(1));

const accounts: SubgraphSource = {
  sdl: `
    extend type Query { viewer(id: ID!): User }
    type User @key(fields: "id") { id: ID! name: String! email: String! memberSince: String! }`,
  resolvers: {
    Query: { viewer: (_: unknown, { id }: { id: string }) => user(id) },
    User: { __resolveReference: ({ id }: { id: string }) => user(id) },
  },
};

function user(id: string): object {
  const number = numberOf(id);
  const name = `Customer Number ${number}`;
  return { id, name, email: `customer.${number}@example.com`, memberSince: `${2000 + (number % 25)}-03-01` };
}

const products: SubgraphSource = {
  sdl: `
    extend type Query { catalog(first: Int!, from: Int!): [Product!]! }
    type Product @key(fields: "upc") { upc: ID! name: String! price: Int! weight: Int! maker: Maker! }
    type Maker { name: String! country: String! }`,
  resolvers: {
    Query: {
      catalog: (_: unknown, { first, from }: { first: number; from: number }) =>
        Array.from({ length: first }, (_, index) => product(`p${from + index}`)),
    },
    Product: { __resolveReference: ({ upc }: Product) => product(upc) },
  },
};

function product(upc: string): object {
  const number = numberOf(upc);
  const maker = { name: `Maker ${number % 97}`, country: number % 2 === 0 ? 'PT' : 'AT' };
  return {
    upc,
    name: `Product Number ${number}`,
    price: 100 + (number % 900),
    weight: 1 + (number % 50),
    maker,
  };
}

const reviews: SubgraphSource = {
  sdl: `
    type Review @key(fields: "id") { id: ID! rating: Int! body: String! author: User! }
    extend type User @key(fields: "id") { id: ID! @external }
    extend type Product @key(fields: "upc") { upc: ID! @external reviews: [Review!]! }`,
  resolvers: {
    Product: {
      __resolveReference: ({ upc }: Product) => ({ upc }),
      reviews: ({ upc }: Product) => reviewsOf(upc),
    },
    Review: { __resolveReference: ({ id }: { id: string }) => review(numberOf(id)) },
  },
};

const reviewsOf = (upc: string): object[] =>
  Array.from({ length: REVIEWS_PER_PRODUCT }, (_, index) =>
    review(numberOf(upc) * REVIEWS_PER_PRODUCT + index),
  );

const review = (number: number): object => ({
  id: `r${number}`,
  rating: 1 + (number % 5),
  body: sentence.repeat(2 + (number % 3)),
  author: { id: `u${(number * 7) % USERS}` },
});

const inventory: SubgraphSource = {
  sdl: `
    extend type Product @key(fields: "upc") {
      upc: ID! @external price: Int! @external weight: Int! @external
      inStock: Int! shippingEstimate: Int! @requires(fields: "price weight")
    }`,
  resolvers: {
    Product: {
      __resolveReference: (reference: Product) => reference,
      inStock: ({ upc }: Product) => (numberOf(upc) * 13) % 400,
      shippingEstimate: ({ price = 0, weight = 0 }: Product) => (price > 800 ? 0 : weight * 2),
    },
  },
};

export const shop: Readonly<Record<ShopSubgraph, SubgraphSource>> = {
  accounts,
  products,
  reviews,
  inventory,
};
