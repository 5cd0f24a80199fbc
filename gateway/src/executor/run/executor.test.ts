import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  ask,
  asked,
  book,
  books,
  entities,
  forget,
  lines,
  type SubgraphAnswers,
} from './executor.fixture.ts';

beforeEach(forget);

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

  test('a field that was not run for an error of another one is missing for that reason', async () => {
    const no = { message: 'No.', path: ['second'], extensions: { code: 'NOT_FOUND' } };
    const answer = await ask('mutation { first: put(id: 1) { id } second: put(id: 2) { id } }', {
      books: () => ({ data: null, errors: [no] }),
    });
    expect(answer).toEqual({ data: null, errors: [no] });
    expect(lines).toEqual([]);
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

describe('an error is placed where the client asked', () => {
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
      prices: () => ({ data: { _entities: [{ price: null }] }, errors: [{ message: 'No.' }] }),
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

  test.each([
    '__schema @skip(if: $left) { queryType { ...T } }',
    '...Q @skip(if: $left)',
    '... @skip(if: $left) { __schema { queryType { ...T } } }',
    '__schema { queryType @skip(if: $left) { ...T } }',
  ])('what is left out of the schema leaves nothing behind: %s', async (selection) => {
    const fragments = `fragment T on __Type { name }
      ${selection.startsWith('...Q') ? 'fragment Q on Query { __schema { queryType { ...T } } }' : ''}`;
    const query = `query ($left: Boolean!) { ${selection} } ${fragments}`;
    const { data, errors } = await ask(query, {}, { left: true });
    expect([data?.['__schema'] ?? {}, errors]).toEqual([{}, undefined]);
    expect(await ask(query, {}, { left: false })).toEqual({
      data: { __schema: { queryType: { name: 'Query' } } },
    });
    expect(asked).toEqual([]);
  });

  test('conditions on fragments spare the request that they leave without fields', async () => {
    const query = `query ($all: Boolean = false) {
      top { id ...P @include(if: $all) } } fragment P on Book { price }`;
    const given: SubgraphAnswers = {
      books: () => ({ data: { top: book('1') } }),
      prices: entities({ price: 4 }),
    };
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
