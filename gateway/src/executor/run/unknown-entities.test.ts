import { beforeEach, describe, expect, test } from '@jest/globals';
import { ask, asked, book, books, entities, forget, lines } from './executor.fixture.ts';

beforeEach(forget);

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

  test('is null itself where it may be, for what it must have is missing: no error, nothing logged', async () => {
    const given = { books: () => ({ data: { top: book('1') } }), prices: entities(null) };
    expect(
      await ask('{ mine: top { id tax } }', { ...given, books: () => ({ data: { mine: book('1') } }) }),
    ).toEqual({
      data: { mine: null },
    });
    const shelves = () => ({ data: { shelves: [[book('1'), book('2'), book('1')]] } });
    const both = await ask('{ shelves { id tax } }', { books: shelves, prices: entities(null, { tax: 2 }) });
    expect(both).toEqual({ data: { shelves: [[null, { id: '2', tax: 2 }, null]] } });
    expect(lines).toEqual([]);
  });

  test('breaks what must not be null: that is an error, and logged', async () => {
    const answer = await ask('{ books { id tax } }', { books: books('1'), prices: entities(null) });
    const message = 'Cannot return null for non-nullable field Book.tax.';
    expect(answer).toEqual({
      data: null,
      errors: [{ message, path: ['books', 0, 'tax'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    });
    expect(lines).toMatchObject([
      { level: 'error', requestId: 'r', faults: [{ message, path: 'books.0.tax' }], count: 1 },
    ]);
  });

  test('is another than one that fails: missing fields of that are errors, and not logged', async () => {
    const answer = await ask('{ top { id tax } }', {
      books: () => ({ data: { top: book('1') } }),
      prices: () => ({
        data: { _entities: [null] },
        errors: [{ message: 'No.', path: ['_entities', 0, 'offers'] }],
      }),
    });
    expect(answer.data).toEqual({ top: null });
    expect(answer.errors).toMatchObject([{ path: ['top', 'offers'] }, { path: ['top', 'tax'] }]);
    expect(lines).toEqual([]);
  });

  test('does not excuse what another subgraph leaves out below it', async () => {
    const answer = await ask('{ top { sequel { id tax } offers { shop } } }', {
      books: () => ({ data: { top: book('1', { sequel: book('2') }) } }),
      prices: ({ variables }) => {
        const [{ id }] = variables!['representations'] as [{ id: string }];
        return { data: { _entities: [id === '1' ? null : { tax: null }] } };
      },
    });
    expect(answer.data).toEqual({ top: { sequel: null, offers: null } });
    expect(answer.errors).toMatchObject([{ path: ['top', 'sequel', 'tax'] }]);
  });

  test('and one that is null already is asked of nobody', async () => {
    const answer = await ask('{ top { price } }', { books: () => ({ data: { top: null } }) });
    expect(answer).toEqual({ data: { top: null } });
    expect(asked).toEqual([['books', {}]]);
  });
});
