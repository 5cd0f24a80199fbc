import { beforeAll, expect, test } from '@jest/globals';
import { useStack } from '../../harness/stack.ts';
import { capture, openStore } from '../coupons.fixture.ts';
import { expectError, shapes } from '../shapes.ts';

const stack = useStack();
let token: string;
let key: string;
let online: string;
let inStore: string;
let store: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token, ['captures:read', 'members:read'])).secret;
  store = await openStore(stack, token);
  online = await capture(stack, token, 'Ana@Example.com');
  inStore = await capture(stack, token, 'rui@example.com', store);
});

const get = (query: string, as = key) => stack.rest('GET', `/api/v2/captures${query}`, { as });

test('GET /captures answers the page and the total, newest first, addresses in full', async () => {
  const { status, body } = await get('');
  expect(status).toBe(200);
  expect(body).toEqual({
    captures: [
      { id: inStore, email: 'rui@example.com', store_id: store, type: 'store', created_at: shapes.instant },
      { id: online, email: 'ana@example.com', store_id: null, type: 'email', created_at: shapes.instant },
    ],
    total: 2,
  });
});

test('a key without members:read gets masked addresses, one without captures:read nothing', async () => {
  const narrow = (await stack.key(token, ['captures:read'])).secret;
  const { body } = await get('?limit=1', narrow);
  expect(body.captures).toEqual([expect.objectContaining({ id: inStore, email: 'r***@e***.com' })]);
  const other = (await stack.key(token, ['coupons:read'])).secret;
  expectError(await get('', other), 403, 'SCOPE_MISSING', 'captures:read');
});

test('GET /captures pages by limit and offset', async () => {
  expect((await get('?limit=1&offset=1')).body).toMatchObject({ captures: [{ id: online }], total: 2 });
});

test.each(['limit=0', 'limit=201', 'offset=-1', 'offset=x'])(
  'GET /captures?%s is 400 and names the parameter',
  async (query) => {
    const named = new RegExp(`^${query.split('=')[0]} must`);
    expectError(await get(`?${query}`), 400, 'VALIDATION_FAILED', named);
  },
);

test('createCapture of an invalid address, or in an unknown store, is refused', async () => {
  await expect(capture(stack, token, 'ana')).rejects.toThrow('must be an e-mail address');
  await expect(capture(stack, token, 'a@example.com', online)).rejects.toThrow('STORE_NOT_FOUND');
});
