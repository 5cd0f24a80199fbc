import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';

const stack = useStack();
let key: string;
let ids: string[];

const UPSERT = `mutation ($input: [ProductInput!]!) {
  upsertProducts(input: $input) { results { id outcome error } } }`;
const rows = [
  {
    externalId: 'P-1',
    sku: 'ESP-250',
    name: 'Espresso beans',
    description: 'Dark roast.',
    priceMinor: 790,
    currency: 'EUR',
    categoryPaths: [['Food', 'Coffee']],
    brand: 'Lisbon Roasters',
    imageUrl: 'https://shop.example.com/1.jpg',
  },
  { externalId: 'P-2', name: 'Oat bread', categoryPaths: [['Food', 'Bread']] },
  { externalId: 'P-3', name: 'Mug', categoryPaths: [['Home']], brand: 'Clay' },
];

beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token, ['catalog:read', 'catalog:write'])).secret;
  const { data } = await stack.graph<{ upsertProducts: { results: { id: string }[] } }>(
    UPSERT,
    { input: rows },
    key,
  );
  ids = data.upsertProducts.results.map(({ id }) => id);
  await stack.graph('mutation ($id: ID!) { archiveProduct(id: $id) { id } }', { id: ids[2] }, key);
});

const get = (path: string) => stack.rest('GET', `/api/v2${path}`, { as: key });
const names = async (query: string) =>
  (await get(`/products${query}`)).body.products.map(({ name }: { name: string }) => name);

const espresso = () => ({
  id: ids[0],
  external_id: 'P-1',
  sku: 'ESP-250',
  name: 'Espresso beans',
  description: 'Dark roast.',
  price: 790,
  currency: 'EUR',
  status: 'active',
  category_ids: [shapes.uuid],
  brand_id: shapes.uuid,
  image_url: 'https://shop.example.com/1.jpg',
  created_at: shapes.instant,
  updated_at: shapes.instant,
});

describe('GET /products', () => {
  test('answers the page and the total, newest first', async () => {
    const { status, body } = await get('/products');
    expect(status).toBe(200);
    expect(body.total).toBe(3);
    expect(new Set(body.products.map(({ id }: { id: string }) => id))).toEqual(new Set(ids));
    expect(body.products.find(({ id }: { id: string }) => id === ids[0])).toEqual(espresso());
    expect(body.products.find(({ id }: { id: string }) => id === ids[1])).toEqual({
      ...espresso(),
      id: ids[1],
      external_id: 'P-2',
      name: 'Oat bread',
      sku: null,
      description: null,
      price: null,
      currency: null,
      brand_id: null,
      image_url: null,
    });
  });

  test('filters by status, words, brand and category with all below it', async () => {
    expect(await names('?status=archived')).toEqual(['Mug']);
    expect(await names('?search=BREAD')).toEqual(['Oat bread']);
    expect(await names('?search=esp-2')).toEqual(['Espresso beans']);
    expect(await names('?search=%25')).toEqual([]);
    const { categories } = (await get('/categories')).body;
    const food = categories.find(({ name }: { name: string }) => name === 'Food').id;
    expect((await names(`?category_id=${food}`)).sort()).toEqual(['Espresso beans', 'Oat bread']);
    const { brands } = (await get('/brands?search=clay')).body;
    expect(await names(`?brand_id=${brands[0].id}`)).toEqual(['Mug']);
    expect(await names('?limit=1&offset=3')).toEqual([]);
  });

  test.each(['status=gone', 'limit=0', 'limit=201', 'offset=-1'])('?%s is 400', async (query) => {
    const name = query.split('=')[0];
    expectError(await get(`/products?${query}`), 400, 'VALIDATION_FAILED', new RegExp(`^${name} must`));
  });
});

test('GET /products/{id} answers the product, 404 when absent', async () => {
  expect((await get(`/products/${ids[0]}`)).body).toEqual(espresso());
  const unknown = newId(systemClock);
  expectError(await get(`/products/${unknown}`), 404, 'PRODUCT_NOT_FOUND', unknown);
});

test('GET /categories answers the tree, parents before children', async () => {
  const { body } = await get('/categories');
  expect(body.categories.map(({ path }: { path: string[] }) => path)).toEqual([
    ['Food'],
    ['Food', 'Bread'],
    ['Food', 'Coffee'],
    ['Home'],
  ]);
  const [food, bread] = body.categories;
  expect(food).toEqual({ id: shapes.uuid, name: 'Food', parent_id: null, path: ['Food'] });
  expect(bread).toEqual({ id: shapes.uuid, name: 'Bread', parent_id: food.id, path: ['Food', 'Bread'] });
  expect(body.total).toBe(4);
});

test('GET /brands answers brands by name', async () => {
  expect((await get('/brands')).body).toEqual({
    brands: [
      { id: shapes.uuid, name: 'Clay' },
      { id: shapes.uuid, name: 'Lisbon Roasters' },
    ],
    total: 2,
  });
});

test('a key without catalog:read is 403', async () => {
  const { token } = await stack.signUp();
  const { secret } = await stack.key(token, ['members:read']);
  for (const path of ['/products', `/products/${ids[0]}`, '/categories', '/brands'])
    expectError(
      await stack.rest('GET', `/api/v2${path}`, { as: secret }),
      403,
      'SCOPE_MISSING',
      /catalog:read/,
    );
});
