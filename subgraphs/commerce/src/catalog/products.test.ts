import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import { ask as askSubgraph } from '@loyalty/test/harness/ask';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { commerce } from '../subgraph.ts';
import { type ProductInput, upsertCatalog, upsertProducts } from './products.service.ts';

const { services } = useServices();
let caller: Caller;
beforeEach(() => {
  caller = callerOf();
});

const at = (who = caller) => contextOf(services, who);
const ask = (query: string, variables?: Record<string, unknown>, who = caller) =>
  askSubgraph(commerce, at(who), query, variables);
const all = async (who = caller) =>
  (
    await ask(
      `{ products(first: 200) { totalCount nodes { externalId name price { amountMinor currency } status
        brand { name }
         categories { path parent { name } children { name } } } } categories { nodes { path } } }`,
      {},
      who,
    )
  ).data;
const outcomes = async (rows: readonly ProductInput[]) =>
  (await upsertCatalog(at(), rows)).map(({ outcome }) => outcome);

const bread = { externalId: 'B', name: 'Bread', categoryPaths: [['Food', 'Bakery']], brand: 'Mill' };

describe('upsertCatalog', () => {
  test('makes, changes, and leaves alone what is the same already', async () => {
    expect(await outcomes([bread])).toEqual(['CREATED']);
    expect(await outcomes([bread])).toEqual(['UNCHANGED']);
    expect(
      await outcomes([
        { ...bread, name: 'Rye bread' },
        { externalId: 'C', name: 'Cake' },
      ]),
    ).toEqual(['UPDATED', 'CREATED']);
  });

  test('a row is the whole product, but for a status that nobody gives', async () => {
    await upsertCatalog(at(), [{ ...bread, priceMinor: 250n, currency: 'EUR', status: 'ARCHIVED' }]);
    await upsertCatalog(at(), [{ externalId: 'B', name: 'Bread' }]);
    expect((await all()).products.nodes).toEqual([
      {
        externalId: 'B',
        name: 'Bread',
        price: null,
        status: 'ARCHIVED',
        brand: null,
        categories: [],
      },
    ]);
    expect(await outcomes([{ externalId: 'B', name: 'Bread', status: 'ACTIVE' }])).toEqual(['UPDATED']);
  });

  test('makes the tree of categories, each path once, children below their parents', async () => {
    const paths = [['Food', 'Bakery', 'Rye'], ['Food'], ['Food', 'Bakery'], ['Home', 'Bakery']];
    await upsertCatalog(
      at(),
      paths.map((path, n) => ({ externalId: `${n}`, name: 'x', categoryPaths: [path, path] })),
    );
    const { categories, products } = await all();
    expect(categories.nodes.map(({ path }: { path: string[] }) => path.join('/'))).toEqual([
      'Food',
      'Food/Bakery',
      'Food/Bakery/Rye',
      'Home',
      'Home/Bakery',
    ]);
    const food = products.nodes.find(({ externalId }: { externalId: string }) => externalId === '2');
    expect(food.categories).toEqual([
      { path: ['Food', 'Bakery'], parent: { name: 'Food' }, children: [{ name: 'Rye' }] },
    ]);
  });

  test('names what is wrong row by row, and writes the others', async () => {
    const results = await upsertCatalog(at(), [
      { externalId: 'A', name: ' ' },
      bread,
      bread,
      { externalId: 'P', name: 'P', priceMinor: 5n },
      { externalId: 'N', name: 'N', priceMinor: -5n, currency: 'EUR' },
      { externalId: 'D', name: 'D', categoryPaths: [[]] },
      { externalId: 'E', name: 'E', categoryPaths: [Array.from({ length: 11 }, () => 'x')] },
    ]);
    expect(results.map(({ outcome, error }) => [outcome, error?.split(' ')[0]])).toEqual([
      ['FAILED', 'name'],
      ['CREATED', undefined],
      ['FAILED', 'externalId'],
      ['FAILED', 'currency'],
      ['FAILED', 'priceMinor'],
      ['FAILED', 'categoryPaths'],
      ['FAILED', 'categoryPaths'],
    ]);
    expect((await all()).products.totalCount).toBe(1);
  });

  test('a thousand rows cost as many statements as one, and writers at once do no harm', async () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      externalId: `T${n}`,
      name: `Thing ${n}`,
      categoryPaths: [['All', `Group ${n % 20}`]],
      brand: `Brand ${n % 10}`,
    }));
    const cost = async (some: readonly ProductInput[]) => {
      services.statements.length = 0;
      await upsertCatalog(at(), some);
      return services.statements.length;
    };
    const one = await cost([{ ...rows[0]!, externalId: 'first', brand: 'B', categoryPaths: [['a', 'b']] }]);
    const backwards = [...rows].reverse();
    const results = await Promise.all(
      [rows, backwards, rows, backwards].map((each) => upsertCatalog(at(), each)),
    );
    expect(results.flat().filter(({ outcome }) => outcome === 'CREATED')).toHaveLength(1_000);
    expect((await all()).products.totalCount).toBe(1_001);
    const more = rows.map((row) => ({
      ...row,
      externalId: `U${row.externalId}`,
      brand: `New ${row.brand}`,
      categoryPaths: [['New', row.externalId]],
    }));
    expect(await cost(more)).toBe(one);
  });

  test('live, test and other workspaces have catalogs of their own', async () => {
    await upsertCatalog(at(), [bread]);
    const others = [{ ...caller, mode: 'TEST' as const }, callerOf()];
    for (const other of others) {
      expect((await all(other)).products.totalCount).toBe(0);
      expect((await all(other)).categories.nodes).toEqual([]);
      expect((await upsertCatalog(at(other), [bread]))[0]!.outcome).toBe('CREATED');
    }
  });
});

test('the mutation takes 1 to 100 rows and counts what became of them', async () => {
  const counted = await upsertProducts(at(), [bread, { externalId: '', name: 'x' }]);
  expect(counted).toMatchObject({ created: 1, updated: 0, unchanged: 0, failed: 1 });
  for (const size of [0, 101]) {
    const rows = Array.from({ length: size }, () => bread);
    await expect(upsertProducts(at(), rows)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  }
});

test('archiving twice changes nothing more; an unknown product is 404', async () => {
  const [made] = await upsertCatalog(at(), [bread]);
  const archive = (id: string, who = caller) =>
    ask('mutation ($id: ID!) { archiveProduct(id: $id) { status updatedAt } }', { id }, who);
  const first = (await archive(made!.id!)).data.archiveProduct;
  services.clock.advance(1_000);
  expect((await archive(made!.id!)).data.archiveProduct).toEqual(first);
  expect(first.status).toBe('ARCHIVED');
  expect((await archive(newId(services.clock))).reason).toBe('PRODUCT_NOT_FOUND');
  expect((await archive(made!.id!, callerOf())).reason).toBe('PRODUCT_NOT_FOUND');
});

test('a list with categories and brands costs the same statements for 1 product and for 50', async () => {
  await upsertCatalog(
    at(),
    Array.from({ length: 50 }, (_, n) => ({ ...bread, externalId: `S${n}`, brand: `Brand ${n}` })),
  );
  const cost = async (first: number) => {
    services.statements.length = 0;
    await ask(
      `query ($first: Int!) { products(first: $first) { nodes { brand { name }
         categories { name parent { name } children { name } } } } }`,
      { first },
    );
    return services.statements.length;
  };
  expect(await cost(50)).toBe(await cost(1));
});
