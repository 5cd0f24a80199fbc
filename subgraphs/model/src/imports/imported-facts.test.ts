import { describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import {
  csv,
  eventHeader,
  faultsOf,
  imported,
  importedMembers,
  orderHeader,
} from './data-imports.fixture.ts';

const { newContext } = useServices();

/** Returns row, column and code of each issue. */
const orderIn = (line: string) => csv('ORDERS', orderHeader, line);
const eventIn = (line: string) => csv('EVENTS', eventHeader, line);

const factsIn = (ctx: Context, table: string, columns: string) =>
  ctx.sql.query<Record<string, unknown>>(
    `SELECT ${columns} FROM model.${table} WHERE workspace_id = $1 AND mode = $2::platform."Mode"`,
    [ctx.scope.workspaceId, ctx.scope.mode],
  );

test('the unknown member or order of a row with faults is reported with them', async () => {
  const ctx = newContext();
  await importedMembers(ctx, 1);
  expect(await faultsOf(ctx, orderIn('o1,nobody,yesterday,-1,EUR,paid'))).toEqual([
    [2, 'occurred_at', 'INVALID_VALUE'],
    [2, 'amount', 'INVALID_VALUE'],
    [2, 'member_id', 'UNKNOWN_MEMBER'],
  ]);
  const line = csv('ORDER_LINES', 'external_id,order_id,item_id,quantity,unit_price', 'l1,none,tea,much,1');
  expect(await faultsOf(ctx, line)).toEqual([
    [2, 'quantity', 'INVALID_VALUE'],
    [2, 'order_id', 'UNKNOWN_ORDER'],
  ]);
});

describe('an event', () => {
  test.each([
    ['pv', 'view'],
    ['Page_View', 'view'],
    ['add_to_cart', 'cart_add'],
    ['cart_remove', 'cart_remove'],
    ['buy', 'purchase'],
    ['Wishlist.Added', 'wishlist.added'],
  ])('of type %s is kept as %s', async (word, type) => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    await imported(ctx, eventIn(`e1,m1,${word},2026-02-01T10:00:00Z,sku,1.5`));
    expect(await factsIn(ctx, 'event_facts', 'type, item_id AS item, value')).toEqual([
      { type, item: 'sku', value: 1.5 },
    ]);
  });

  test.each([
    ['e1,m1,a b,2026-02-01,,', 'type'],
    ['e1,m1,pv,2026-02-01,,much', 'value'],
  ])('that says %s has an issue', async (line, column) => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    expect(await faultsOf(ctx, eventIn(line))).toEqual([[2, column, 'INVALID_VALUE']]);
  });

  test('may name its member by UUID', async () => {
    const ctx = newContext();
    const { m1 } = await importedMembers(ctx, 1);
    const { mappings } = await imported(ctx, eventIn(`e1,${m1},pv,2026-02-01,,`));
    expect([mappings, await factsIn(ctx, 'event_facts', 'member_id AS id')]).toEqual([{}, [{ id: m1 }]]);
  });

  test('of a restricted member is an issue, and the restricted stay unnamed', async () => {
    const ctx = newContext();
    await importedMembers(ctx, 2);
    await ctx.sql.query(
      `UPDATE loyalty.members SET is_restricted = true WHERE workspace_id = $1 AND external_id = 'm2'`,
      [ctx.scope.workspaceId],
    );
    const input = csv('EVENTS', eventHeader, 'e1,m1,pv,2026-02-01,,', 'e2,m2,pv,2026-02-01,,');
    expect(await faultsOf(ctx, input)).toEqual([[3, 'member_id', 'MEMBER_RESTRICTED']]);
  });
});

describe('lines and receipts', () => {
  const lineHeader = 'external_id,order_id,item_id,quantity,unit_price';

  test('lines are of orders that are known, in their currency and at their time', async () => {
    const ctx = newContext();
    const { m1 } = await importedMembers(ctx, 1);
    await imported(ctx, orderIn('o1,m1,2026-02-01T10:00:00Z,10,JPY,paid'));
    await imported(ctx, csv('ORDER_LINES', lineHeader, 'l1,o1,sku,2,5', 'l2,o1,sku,0.5,'));
    const columns = `member_id AS id, occurred_at AS at, quantity, unit_price_minor AS price`;
    const at = new Date('2026-02-01T10:00:00Z');
    expect(await factsIn(ctx, 'order_line_facts', columns)).toEqual([
      { id: m1, at, quantity: 2, price: 5n },
      { id: m1, at, quantity: 0.5, price: null },
    ]);
  });

  test('lines of unknown orders, of nothing, or with too many decimals are issues', async () => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    await imported(ctx, orderIn('o1,m1,2026-02-01,10,JPY,paid'));
    const input = csv('ORDER_LINES', lineHeader, 'l1,o9,sku,1,', 'l2,o1,sku,0,', 'l3,o1,sku,1,1.5');
    expect(await faultsOf(ctx, input)).toEqual([
      [2, 'order_id', 'UNKNOWN_ORDER'],
      [3, 'quantity', 'INVALID_VALUE'],
      [4, 'unit_price', 'INVALID_VALUE'],
    ]);
  });

  test('receipts hold the status of a message', async () => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    const header = 'external_id,member_id,channel,message_id,status,occurred_at';
    await imported(ctx, csv('CHANNEL_RECEIPTS', header, 'r1,m1,Email,msg,open,2026-02-01'));
    expect(await factsIn(ctx, 'channel_receipt_facts', 'channel, message_id AS id, status')).toEqual([
      { channel: 'email', id: 'msg', status: 'OPENED' },
    ]);
  });
});
