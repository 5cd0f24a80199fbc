import type { Context } from '@loyalty/platform/context';
import { encodeCursor, PAGE_SIZE_MAX, type Page, type PageArgs } from '@loyalty/platform/database/pages';
import { bigintAsNumber } from './money.ts';
import { listMemberOrders, type Order } from './orders/orders.service.ts';
import { listRefunds } from './orders/refunds.service.ts';
import { listMemberReceipts } from './receipts/receipts.service.ts';

type Data = Record<string, unknown>;

/** All data of a member in this subgraph, newest first, as JSON; amounts in minor units. */
export async function commerceMemberData(
  ctx: Context,
  memberId: string,
): Promise<{ orders: Data[]; receipts: Data[] }> {
  const orders = await all((args) => listMemberOrders(ctx, memberId, args));
  const receipts = await all((args) => listMemberReceipts(ctx, memberId, args));
  return {
    orders: await Promise.all(orders.map((order) => orderData(ctx, order))),
    receipts: receipts.map(({ memberId: _, ...receipt }) => jsonOf(receipt)),
  };
}

async function all<T extends { readonly id: string }>(
  read: (args: PageArgs) => Promise<Page<T>>,
): Promise<T[]> {
  const found: T[] = [];
  let after: string | null = null;
  do {
    const { rows, hasNextPage } = await read({ first: PAGE_SIZE_MAX, after });
    found.push(...rows);
    after = hasNextPage ? encodeCursor(rows.at(-1)!.id) : null;
  } while (after);
  return found;
}

async function orderData(ctx: Context, { memberId: _, ...order }: Order): Promise<Data> {
  const refunds = await listRefunds(ctx, order.id);
  return jsonOf({ ...order, refunds: refunds.map(({ orderId: _id, ...refund }) => refund) });
}

/** Converts a row to JSON values: instants become text, bigints become numbers. */
const jsonOf = (data: Data): Data => JSON.parse(JSON.stringify(data, bigintAsNumber)) as Data;
