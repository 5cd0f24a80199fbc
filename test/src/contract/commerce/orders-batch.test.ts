import { beforeAll, expect, test } from '@jest/globals';
import { useStack } from '../../harness/stack.ts';

const stack = useStack();
let key: string;

beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token)).secret;
});

let numbers = 0;
/** A new order of 12.50 EUR with an id of its own. */
const sale = (more: object = {}) => {
  numbers += 1;
  const externalOrderId = `sale-${numbers}`;
  return { externalOrderId, occurredAt: new Date().toISOString(), currency: 'EUR', total: 1250, ...more };
};
const post = (path: string, body: unknown) => stack.rest('POST', `/api/v2/orders${path}`, { as: key, body });
const get = (query: string) => stack.rest('GET', `/api/v2/orders${query}`, { as: key });

test('a value that does not fit fails its order, and the others are recorded once', async () => {
  const rows = [
    [{ occurredAt: '2026-02-30T10:00:00Z' }, /^occurredAt must be an instant/],
    [{ total: 12.5 }, /^total must be a whole number/],
    [{ currency: 978 }, /^currency must be a string/],
    [{ status: 'PAID' }, /^status must be one of placed, paid/],
    [{ storeId: 'corner' }, /^storeId must be a UUID/],
    [{ amount: 5 }, /^amount is not known; known are externalOrderId/],
    [{ items: [{ sku: 'a', quantity: 1.5, unitPrice: 5 }] }, /^items\[0\]\.quantity must be a whole number/],
    [{ total: undefined }, /^total is required/],
  ] as const;
  const [first, last] = [sale(), sale({ total: -1 })];
  const orders = [first, ...rows.map(([more]) => sale(more)), last, sale()];
  const reply = await post('/batch', { orders });
  expect(reply.status).toBe(207);
  expect(reply.body).toMatchObject({ total: 11, succeeded: 2, failed: 9 });
  expect(reply.body.results.map(({ index, ok }: { index: number; ok: boolean }) => [index, ok])).toEqual(
    orders.map((_, index) => [index, index === 0 || index === 10]),
  );
  for (const [n, [, sentence]] of rows.entries())
    expect(reply.body.results[n + 1]).toEqual({
      ...{ index: n + 1, ok: false, id: null, created: null },
      error: expect.stringMatching(sentence),
    });
  expect(reply.body.results[9].error).toMatch(/^total must be/);
  const kept = await get(`?externalOrderId=${first.externalOrderId}`);
  expect(kept.body.orders).toMatchObject([{ id: reply.body.results[0].id }]);
  for (const { externalOrderId } of orders.slice(1, 10))
    expect((await get(`?externalOrderId=${externalOrderId}`)).body.total).toBe(0);
  const again = await post('/batch', { orders });
  expect(again.body.results[0]).toEqual({ ...reply.body.results[0], created: false });
});
