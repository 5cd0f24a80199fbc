import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { commerce } from '../subgraph.ts';
import { createStore, setStoreStatus } from './stores.service.ts';

const { services, newContext } = useServices();

const place = { name: 'Harbour', address: 'Quay 1' };

const ask = askOf(commerce);

const pageDocument = `query (
  $first: Int, $after: String, $offset: Int, $status: StoreStatus, $search: String
) {
  stores(first: $first, after: $after, offset: $offset, status: $status, search: $search) {
    nodes { id name } edges { cursor } pageInfo { hasNextPage endCursor } totalCount
  }
}`;

describe('a list of stores', () => {
  let ctx: Context;
  let names: string[];
  beforeAll(async () => {
    ctx = newContext();
    names = ['Alpha', '50% Off', 'Fifty', 'snake_case', 'snakeXcase', 'Ünder', 'back\\slash'];
    for (const name of names) await createStore(ctx, { ...place, name });
  });

  const list = async (variables: Record<string, unknown>) =>
    (await ask(ctx, pageDocument, variables)).data.stores;
  const namesOf = (found: { nodes: { name: string }[] }) => found.nodes.map(({ name }) => name);

  test('comes newest first, 50 at a time', async () => {
    expect(namesOf(await list({}))).toEqual(names.toReversed());
  });

  test('is the same rows in the same order by cursor and by offset, for every page size', async () => {
    for (const first of [1, 2, 3, 6, 7, 8]) {
      const byCursor: string[] = [];
      const byOffset: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const found = await list({ first, after });
        byCursor.push(...namesOf(found));
        ({ hasNextPage: more, endCursor: after } = found.pageInfo);
      }
      for (let offset = 0; offset < names.length; offset += first)
        byOffset.push(...namesOf(await list({ first, offset })));
      expect(byCursor).toEqual(names.toReversed());
      expect(byOffset).toEqual(byCursor);
    }
  });

  test('past its end is empty and says so', async () => {
    expect(await list({ offset: 100 })).toEqual({
      nodes: [],
      edges: [],
      pageInfo: { hasNextPage: false, endCursor: null },
      totalCount: names.length,
    });
  });

  test.each([
    [{ first: 0 }, 'first must be between 1 and 200.'],
    [{ first: -1 }, 'first must be between 1 and 200.'],
    [{ first: 201 }, 'first must be between 1 and 200.'],
    [{ offset: -1 }, 'offset must be between 0 and 10000000.'],
    [{ offset: 10_000_001 }, 'offset must be between 0 and 10000000.'],
    [{ after: 'no cursor' }, 'after must be a cursor that an earlier page returned.'],
    [{ search: 'a\u0000b' }, 'search must not contain control characters.'],
    [{ search: 'x'.repeat(201) }, 'search must have at most 200 characters.'],
  ])('asked for %j is refused with a sentence', async (variables, message) => {
    expect(await ask(ctx, pageDocument, variables)).toMatchObject({ code: 'BAD_USER_INPUT', message });
  });

  test('cannot be asked for by cursor and offset together', async () => {
    const { pageInfo } = await list({ first: 1 });
    const { message } = await ask(ctx, pageDocument, { after: pageInfo.endCursor, offset: 1 });
    expect(message).toBe('offset cannot be combined with after.');
  });

  test('refuses a status that does not exist', async () => {
    expect(await ask(ctx, pageDocument, { status: 'CLOSED' })).toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  test.each([
    ['%', ['50% Off']],
    ['_', ['snake_case']],
    ['\\', ['back\\slash']],
    ['FIFTY', ['Fifty']],
    ['üNDER', ['Ünder']],
    ['  alpha ', ['Alpha']],
    ["'; DROP TABLE stores", []],
    ['   ', ['back\\slash', 'Ünder', 'snakeXcase', 'snake_case', 'Fifty', '50% Off', 'Alpha']],
  ])('searched for %j finds exactly the names that hold it', async (search, expected) => {
    expect(namesOf(await list({ search }))).toEqual(expected);
  });

  test('finds a name by any part of it, whatever the characters', async () => {
    const text = fc
      .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 })
      .filter((name) => name.trim() === name);
    await fc.assert(
      fc.asyncProperty(text, async (name) => {
        const own = newContext();
        const { id } = await createStore(own, { ...place, name });
        const { data } = await ask(own, pageDocument, { search: name.slice(0, 8).trim().toUpperCase() });
        expect(data.stores.nodes).toMatchObject([{ id }]);
      }),
      { numRuns: 40 },
    );
  });

  test('filters by status and counts what it filters', async () => {
    const own = newContext();
    const [first, second] = await Promise.all([
      createStore(own, place),
      createStore(own, place),
      createStore(own, place),
    ]);
    await setStoreStatus(own, first.id, 'PAUSED');
    await setStoreStatus(own, second.id, 'PAUSED');
    const { data } = await ask(own, pageDocument, { status: 'PAUSED', first: 1 });
    expect(data.stores).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } });
  });

  test('is counted only when its count is selected', async () => {
    services.statements.length = 0;
    await ask(ctx, '{ stores { nodes { id } } }');
    expect(services.statements).toHaveLength(1);
  });
});
