import { beforeAll, expect, test } from '@jest/globals';
import { useStack } from '../../harness/stack.ts';
import { type ModelTenant, modelTenant } from './model.fixture.ts';

const stack = useStack();
let tenant: ModelTenant;
beforeAll(async () => {
  await stack.work();
  tenant = await modelTenant(stack);
});

const send = async (kind: string, content: string, confirmed: object = {}) => {
  const body = { kind, format: 'csv', content, mapping: {}, ...confirmed };
  return (await stack.rest('POST', '/api/v1/data', { as: tenant.key, body })).body;
};
const confirm = async (kind: string, content: string) => {
  const { token } = await send(kind, content);
  return send(kind, content, { confirmed: true, token });
};

test('corrections of orders are previewed, confirmed and listed like any import', async () => {
  await confirm('members', 'external_id,created_at\nm1,2026-01-05T10:00:00Z');
  const order = 'o1,m1,2026-01-06T10:00:00Z,30,EUR,paid';
  await confirm('orders', `external_id,member_id,occurred_at,amount,currency,status\n${order}`);
  const columns = 'external_id,order_id,status,amount,occurred_at';
  const { issues } = await send('order_updates', `${columns}\nu1,o1,refunded,31,2026-01-08`);
  expect(issues).toMatchObject([{ row: 2, column: 'amount', code: 'INVALID_VALUE' }]);
  const file = `${columns}\nu1,o1,refunded,0,2026-01-08`;
  expect(await send('order_updates', file)).toMatchObject({ issues: [], inserted: 1, cost: 0 });
  expect(await confirm('order_updates', file)).toMatchObject({ inserted: 1, skipped: 0, mappings: {} });
  expect(await confirm('order_updates', file)).toMatchObject({ inserted: 0, skipped: 1 });
  const shown = (await stack.rest('GET', '/api/v1/data', { as: tenant.key })).body;
  expect(shown.batches[0]).toMatchObject({ kind: 'order_updates', inserted: 0, skipped: 1 });
  expect(shown.counts).toMatchObject({ orders: 1, order_updates: 1 });
});
