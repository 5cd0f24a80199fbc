import { composeServices } from '@apollo/composition';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/caller';
import type { SubgraphRequest } from '@loyalty/platform/subgraph';
import { type ExecutionResult, parse, validate } from 'graphql';
import { loadSupergraph } from '../supergraph.ts';
import { answering } from '../transport.fixture.ts';
import { createExecutor } from './executor.ts';

const sdl = {
  books: `
    type Query { books: [Book!]! shelves: [[Book]!] top(n: Int! = 1): Book }
    type Mutation { add: Book }
    type Book @key(fields: "id") { id: ID! title(language: String): String sequel: Book }`,
  prices: `
    type Book @key(fields: "id") { id: ID! price: Int tax: Int! offers: [Offer!] }
    type Offer { shop: String! cents: Int! }`,
};

type Answers = Partial<Record<keyof typeof sdl, (request: SubgraphRequest) => unknown>>;

const header = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])';
const { supergraphSdl } = composeServices(
  Object.entries(sdl).map(([name, text]) => ({ name, url: name, typeDefs: parse(header + text) })),
);
const supergraph = loadSupergraph(supergraphSdl!);

let answers: Answers = {};
let asked: [subgraph: string, variables: unknown][] = [];

const transport = (name: keyof typeof sdl) =>
  answering(async (request) => {
    asked.push([name, request.variables]);
    return (answers[name]?.(request) ?? { data: null }) as ExecutionResult;
  });
const executor = createExecutor(supergraph, { books: transport('books'), prices: transport('prices') });

beforeEach(() => {
  [answers, asked] = [{}, []];
});

async function ask(query: string, given: Answers, variables = {}) {
  answers = given;
  const document = parse(query);
  expect(validate(supergraph.schema, document)).toEqual([]);
  const answer = await executor.execute({ document, variables }, { caller: anonymous, requestId: 'r' });
  return JSON.parse(JSON.stringify(answer));
}

const book = (id: string, more = {}) => ({ __typename: 'Book', id, ...more });
const books =
  (...ids: string[]) =>
  () => ({ data: { books: ids.map((id) => book(id)) } });
const entities =
  (...list: unknown[]) =>
  () => ({ data: { _entities: list } });
const away = { message: 'The prices service is away.', extensions: { code: 'UNAVAILABLE' } };

describe('a subgraph that fails costs its own fields', () => {
  test.each([
    ['errors and no data', { errors: [away] }],
    ['data null and errors', { data: null, errors: [away] }],
    ['entities null and errors', { data: { _entities: null }, errors: [away] }],
  ])('%s', async (_, result) => {
    const answer = await ask('{ books { id price } }', { books: books('1'), prices: () => result });
    expect(answer.data).toEqual({ books: [{ id: '1', price: null }] });
    expect(answer.errors).toContainEqual(away);
  });

  test('a field that must not be null takes more with it, and the one error explains that', async () => {
    const answer = await ask('{ books { id tax } }', {
      books: books('1'),
      prices: () => ({ errors: [away] }),
    });
    expect(answer).toEqual({ data: null, errors: [away] });
  });

  test('the first subgraph may be the one', async () => {
    const answer = await ask('{ top { price } }', { books: () => ({ data: null, errors: [away] }) });
    expect(answer).toEqual({ data: { top: null }, errors: [away] });
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['too few entities', { _entities: [{ price: 1 }] }],
    ['too many', { _entities: [{ price: 1 }, { price: 2 }, { price: 3 }] }],
    ['something else', { _entities: 'none' }],
    ['nothing', {}],
  ])('%s are not taken for an answer', async (_, data) => {
    const answer = await ask('{ mine: books { price } }', {
      books: () => ({ data: { mine: [book('1'), book('2')] } }),
      prices: () => ({ data }),
    });
    expect(answer.data).toEqual({ mine: [{ price: null }, { price: null }] });
    expect(answer.errors).toMatchObject([
      { path: ['mine'], extensions: { reason: 'SUBGRAPH_ANSWER_INVALID' } },
    ]);
  });
});

describe('an entity that a subgraph does not know', () => {
  test('has nulls, without an error', async () => {
    const answer = await ask('{ books { id price } }', {
      books: books('1', '2'),
      prices: entities(null, { price: 2 }),
    });
    expect(answer).toEqual({
      data: {
        books: [
          { id: '1', price: null },
          { id: '2', price: 2 },
        ],
      },
    });
  });

  test('breaks what must not be null, and that is told', async () => {
    const answer = await ask('{ top { id tax } }', {
      books: () => ({ data: { top: book('1') } }),
      prices: entities(null),
    });
    expect(answer).toEqual({
      data: { top: null },
      errors: [
        {
          message: 'Cannot return null for non-nullable field Book.tax.',
          path: ['top', 'tax'],
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        },
      ],
    });
  });

  test('and one that is null already is asked of nobody', async () => {
    const answer = await ask('{ top { price } }', { books: () => ({ data: { top: null } }) });
    expect(answer).toEqual({ data: { top: null } });
    expect(asked).toEqual([['books', {}]]);
  });
});

describe('an error is told where the client asked', () => {
  const failing = (...path: (string | number)[]) => ({ message: 'No.', path });

  test('under its aliases and list positions', async () => {
    const answer = await ask('{ all: shelves { id cost: price } }', {
      books: () => ({ data: { all: [[book('1'), null], [], [book('2')]] } }),
      prices: () => ({
        data: { _entities: [{ cost: 1 }, { cost: null }] },
        errors: [failing('_entities', 1, 'cost')],
      }),
    });
    expect(answer.data).toEqual({ all: [[{ id: '1', cost: 1 }, null], [], [{ id: '2', cost: null }]] });
    expect(answer.errors).toEqual([failing('all', 2, 0, 'cost')]);
  });

  test('deep within an entity', async () => {
    const answer = await ask('{ top { bids: offers { shop in: cents } } }', {
      books: () => ({ data: { top: book('1') } }),
      prices: () => ({
        data: { _entities: [{ bids: null }] },
        errors: [failing('_entities', 0, 'bids', 1, 'in')],
      }),
    });
    expect(answer).toEqual({ data: { top: { bids: null } }, errors: [failing('top', 'bids', 1, 'in')] });
  });

  test('of an entity that is asked for once, at each of its places', async () => {
    const answer = await ask('{ books { price } }', {
      books: books('1', '2', '1'),
      prices: () => ({
        data: { _entities: [null, { price: 2 }] },
        errors: [failing('_entities', 0)],
      }),
    });
    expect(answer.data).toEqual({ books: [{ price: null }, { price: 2 }, { price: null }] });
    expect(answer.errors).toEqual([failing('books', 0), failing('books', 2)]);
    const representations = [
      { __typename: 'Book', id: '1' },
      { __typename: 'Book', id: '2' },
    ];
    expect(asked[1]).toEqual(['prices', { representations }]);
  });

  test('under a name that was private on the way', async () => {
    const answer = await ask('{ books { id: title(language: "de") price } }', {
      books: ({ query }) => {
        const [, name = ''] = /(\w+):title/.exec(query)!;
        return { data: { books: [book('1', { [name]: null })] }, errors: [failing('books', 0, name)] };
      },
      prices: entities({ price: 3 }),
    });
    expect(answer).toEqual({
      data: { books: [{ id: null, price: 3 }] },
      errors: [failing('books', 0, 'id')],
    });
  });

  test('or nowhere, if the subgraph does not say where', async () => {
    const answer = await ask('{ books { price } }', {
      books: books('1'),
      prices: () => ({ data: { _entities: [{ price: null }] }, errors: [failing('_service')] }),
    });
    expect(answer.errors).toEqual([{ message: 'No.' }]);
  });
});

describe('names of the client', () => {
  test('that are those of keys or of every object do not disturb the plan', async () => {
    const query = '{ books { id: title __typename: title constructor: price __proto__: id } }';
    const answer = await ask(query, {
      books: ({ query: sent }) => {
        const titles = [...sent.matchAll(/(\w+):title/g)].map(([, name]) => [name, 'T']);
        const [, id = ''] = /(\w+):id/.exec(sent)!;
        return { data: { books: [book('1', { ...Object.fromEntries(titles), [id]: '1' })] } };
      },
      prices: entities({ constructor: 5 }),
    });
    expect(JSON.stringify(answer.data)).toBe(
      '{"books":[{"id":"T","__typename":"T","constructor":5,"__proto__":"1"}]}',
    );
    expect(asked[1]).toEqual(['prices', { representations: [{ __typename: 'Book', id: '1' }] }]);
  });
});

describe('what no subgraph is needed for', () => {
  test('the schema is answered beside data', async () => {
    const query = `query ($name: String!) {
      __schema { queryType { name } } type: __type(name: $name) { fields { name } } top { id } __typename
    }`;
    const answer = await ask(query, { books: () => ({ data: { top: book('1') } }) }, { name: 'Offer' });
    expect(answer).toEqual({
      data: {
        __schema: { queryType: { name: 'Query' } },
        type: { fields: [{ name: 'shop' }, { name: 'cents' }] },
        top: { id: '1' },
        __typename: 'Query',
      },
    });
  });

  test('the schema alone, a type name and what is left out ask nobody', async () => {
    expect(await ask('{ __type(name: "None") { name } }', {})).toEqual({ data: { __type: null } });
    expect(await ask('{ a: __typename }', {})).toEqual({ data: { a: 'Query' } });
    expect(await ask('mutation { __typename }', {})).toEqual({ data: { __typename: 'Mutation' } });
    expect(await ask('{ top @skip(if: true) { id } }', {})).toEqual({ data: {} });
    expect(asked).toEqual([]);
  });

  test('conditions on fragments spare the request that they leave without fields', async () => {
    const query = `query ($all: Boolean = false) {
      top { id ...P @include(if: $all) } } fragment P on Book { price }`;
    const given: Answers = { books: () => ({ data: { top: book('1') } }), prices: entities({ price: 4 }) };
    expect(await ask(query, given)).toEqual({ data: { top: { id: '1' } } });
    expect(asked.map(([name]) => name)).toEqual(['books']);
    expect(await ask(query, given, { all: true })).toEqual({ data: { top: { id: '1', price: 4 } } });
    expect(asked.map(([name]) => name)).toEqual(['books', 'books', 'prices']);
  });

  test('wrong variables are refused before anybody is asked', async () => {
    const answer = await ask('query ($n: Int!) { top(n: $n) { id } }', {}, { n: 'many' });
    expect(answer.data).toBeUndefined();
    expect(answer.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(asked).toEqual([]);
  });
});

test('a subgraph gets only the variables that its part of the operation uses', async () => {
  const query = `query ($n: Int!, $l: String, $u: Boolean = true) {
      top(n: $n) { title(language: $l) @include(if: $u) price } }`;
  await ask(
    query,
    { books: () => ({ data: { top: book('1') } }), prices: entities(null) },
    { n: 3, other: 1 },
  );
  expect(asked[0]).toEqual(['books', { n: 3 }]);
});
