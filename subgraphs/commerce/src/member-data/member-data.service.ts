import type { Context } from '@loyalty/platform/context';
import { encodeCursor, PAGE_SIZE_MAX } from '@loyalty/platform/pages';
import { listMemberOrders, type Order } from '../orders/orders.service.ts';
import { listRefunds } from '../refunds/refunds.service.ts';

type Data = Record<string, unknown>;

/** All that this subgraph keeps of a member, newest first, as JSON; amounts in minor units. */
export async function commerceMemberData(ctx: Context, memberId: string): Promise<{ orders: Data[] }> {
  const orders: Data[] = [];
  let after: string | null = null;
  do {
    const { rows, hasNextPage } = await listMemberOrders(ctx, memberId, { first: PAGE_SIZE_MAX, after });
    orders.push(...(await Promise.all(rows.map((order) => orderData(ctx, order)))));
    after = hasNextPage ? encodeCursor(rows.at(-1)!.id) : null;
  } while (after);
  return { orders };
}

async function orderData(ctx: Context, { memberId: _, ...order }: Order): Promise<Data> {
  const refunds = await listRefunds(ctx, order.id);
  return plain({ ...order, refunds: refunds.map(({ orderId: _id, ...refund }) => refund) });
}

/** As JSON has it, which knows no bigint; amounts are exact as numbers. */
const plain = (data: Data): Data =>
  JSON.parse(JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? Number(value) : value))) as Data;
