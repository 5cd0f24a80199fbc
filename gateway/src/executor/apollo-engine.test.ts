import { beforeEach, describe, expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import { parse } from 'graphql';
import { loadApolloEngine } from './apollo-engine.ts';
import { ask, asked, book, books, entities, executorOf, forget, lines } from './run/executor.fixture.ts';
import { createExecutor } from './run/executor.ts';

const engines = [
  ['compiled', executorOf(createExecutor)],
  ['apollo', executorOf(await loadApolloEngine())],
] as const;
const from = { caller: anonymous, requestId: 'r' };

beforeEach(forget);

describe.each(engines)('the engine %s', (_, executor) => {
  test('joins the answers of two subgraphs', async () => {
    const given = {
      books: () => ({ data: { mine: [book('1'), book('2')] } }),
      prices: entities({ cost: 12, offers: null }, { cost: null, offers: [{ cents: 3 }] }),
    };
    expect(await ask('{ mine: books { id cost: price offers { cents } } }', given, {}, executor)).toEqual({
      data: {
        mine: [
          { id: '1', cost: 12, offers: null },
          { id: '2', cost: null, offers: [{ cents: 3 }] },
        ],
      },
    });
    expect(asked.map(([subgraph]) => subgraph)).toEqual(['books', 'prices']);
  });

  test('places the error of an entity at the path of the client, without details of the transport', async () => {
    const no = {
      message: 'No.',
      path: ['_entities', 1, 'price'],
      extensions: { code: 'NOT_FOUND', reason: 'X', http: {} },
    };
    const prices = () => ({ data: { _entities: [{ price: 1 }, { price: null }] }, errors: [no] });
    const answer = await ask('{ books { id price } }', { books: books('1', '2'), prices }, {}, executor);
    expect(answer.data.books).toEqual([
      { id: '1', price: 1 },
      { id: '2', price: null },
    ]);
    expect(answer.errors).toEqual([
      { message: 'No.', path: ['books', 1, 'price'], extensions: { code: 'NOT_FOUND', reason: 'X' } },
    ]);
  });

  test('answers the other fields if a subgraph is unavailable', async () => {
    const away = { message: 'Away.', extensions: { code: 'UNAVAILABLE', reason: 'SUBGRAPH_UNAVAILABLE' } };
    const prices = () => ({ errors: [away] });
    const answer = await ask('{ books { id price } }', { books: books('1'), prices }, {}, executor);
    expect(answer).toEqual({ data: { books: [{ id: '1', price: null }] }, errors: [away] });
  });

  test('refuses a wrong variable in the same form, and asks no subgraph', async () => {
    const query = 'query ($n: Int!) { top(n: $n) { id } }';
    const { errors, data } = await ask(query, {}, { n: 'x' }, executor);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', reason: 'VALIDATION_FAILED', field: 'n' } },
    ]);
    expect(asked).toEqual([]);
  });

  test('takes no incomplete answer of a subgraph, and logs the fault', async () => {
    const prices = () => ({ data: { _entities: [] } });
    const answer = await ask('{ books { id price } }', { books: books('1'), prices }, {}, executor);
    expect(answer.data).toEqual({ books: [{ id: '1', price: null }] });
    expect(answer.errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
    expect(lines).toMatchObject([{ requestId: 'r', count: 1 }]);
  });

  test('reports a null of a subgraph where the schema allows none', async () => {
    const prices = entities({ tax: null });
    const answer = await ask(
      '{ top { id tax } }',
      { books: () => ({ data: { top: book('1') } }), prices },
      {},
      executor,
    );
    expect(answer.data).toEqual({ top: null });
    expect(answer.errors).toMatchObject([
      { path: ['top', 'tax'], extensions: { code: 'INTERNAL_SERVER_ERROR' } },
    ]);
    expect(lines).toHaveLength(1);
  });

  test('runs equal queries of one caller once, and each mutation', async () => {
    const query = { document: parse('{ books { id } }') };
    await Promise.all([executor.execute(query, from), executor.execute(query, from)]);
    expect(asked).toHaveLength(1);
    const mutation = { document: parse('mutation { add { id } }') };
    await Promise.all([executor.execute(mutation, from), executor.execute(mutation, from)]);
    expect(asked).toHaveLength(3);
  });

  test('answers introspection with the schema of clients', async () => {
    const { data } = await ask('{ __type(name: "Book") { fields { name } } __typename }', {}, {}, executor);
    expect(data.__typename).toBe('Query');
    expect(data.__type.fields.map(({ name }: { name: string }) => name)).toEqual([
      ...['id', 'title', 'sequel', 'price', 'tax', 'offers'],
    ]);
    expect(asked).toEqual([]);
  });

  test('runs the named operation of a document', async () => {
    const document = parse('query A { books { id } } query B { top { id } }');
    await executor.execute({ document, operationName: 'B' }, from);
    await executor.execute({ document, operationName: 'A' }, from);
    await executor.execute({ document, operationName: 'B' }, from);
    expect(asked).toHaveLength(3);
  });
});
