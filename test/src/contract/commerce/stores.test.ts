import { beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';

const stack = useStack();
let key: string;
const ids: string[] = [];

beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token, ['members:read'])).secret;
  for (const name of ['Ribeira', 'Chiado 100%', 'Canal']) {
    const { data } = await stack.graph<{ createStore: { id: string } }>(
      'mutation ($input: CreateStoreInput!) { createStore(input: $input) { id } }',
      { input: { name, address: `${name} Street` } },
      token,
    );
    ids.push(data.createStore.id);
  }
  await stack.graph(
    'mutation ($id: ID!) { setStoreStatus(id: $id, status: PAUSED) { id } }',
    { id: ids[1] },
    token,
  );
});

const get = (path: string) => stack.rest('GET', `/api/v2${path}`, { as: key });

test('GET /stores answers the page and the total, newest first', async () => {
  const { status, body } = await get('/stores');
  expect(status).toBe(200);
  expect(body).toEqual({ stores: [...ids].reverse().map((id) => ({ ...shapes.store, id })), total: 3 });
});

test('GET /stores filters by status and by part of the name, taken literally', async () => {
  expect((await get('/stores?status=paused')).body).toMatchObject({
    stores: [{ id: ids[1], status: 'paused' }],
    total: 1,
  });
  expect((await get('/stores?search=RIB')).body).toMatchObject({ stores: [{ id: ids[0] }], total: 1 });
  expect((await get(`/stores?search=${encodeURIComponent('100%')}`)).body.total).toBe(1);
  expect((await get('/stores?search=%25%25')).body.total).toBe(0);
});

test('GET /stores pages by limit and offset', async () => {
  expect((await get('/stores?limit=1&offset=1')).body).toEqual({
    stores: [{ ...shapes.store, id: ids[1] }],
    total: 3,
  });
});

test.each(['status=closed', 'limit=0', 'limit=201', 'offset=-1', 'offset=x'])(
  'GET /stores?%s is 400 and names the parameter',
  async (query) => {
    expectError(
      await get(`/stores?${query}`),
      400,
      'VALIDATION_FAILED',
      new RegExp(`^${query.split('=')[0]} must`),
    );
  },
);

test('GET /stores/{id} answers the store, 404 when absent', async () => {
  expect((await get(`/stores/${ids[2]}`)).body).toEqual({
    ...shapes.store,
    id: ids[2],
    name: 'Canal',
    address: 'Canal Street',
    status: 'active',
  });
  for (const id of [newId(systemClock), 'corner'])
    expectError(await get(`/stores/${id}`), 404, 'STORE_NOT_FOUND', id);
});

test('stores are read-only on REST: other methods are 405 with Allow', async () => {
  const reply = await stack.rest('POST', '/api/v2/stores', { as: key, body: { name: 'x' } });
  expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('an unknown path is 404 with a sentence', async () => {
  expectError(await get('/shops'), 404, 'PATH_NOT_FOUND', '/api/v2/shops');
});
