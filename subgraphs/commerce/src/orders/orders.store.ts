import type { Context } from '@loyalty/platform/context';
import { anyOf, rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { pageLoader } from '@loyalty/platform/database/page-loader';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { changeInScope, scopeCounts } from '@loyalty/platform/database/scope-counts';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { bigintAsText } from '../money.ts';
import type { OrderItem } from './order-items.ts';
import type { CheckedOrder } from './orders.input.ts';

/** Counts orders of every status. */
const orderCounts = scopeCounts('commerce.order_counts');

export type OrderStatus = 'PLACED' | 'PAID' | 'FULFILLED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'CANCELLED';

/** An order; amounts in minor units of its currency. */
export interface Order extends Omit<CheckedOrder, 'buyer' | 'status'> {
  readonly id: string;
  /** Null for guests. */
  readonly memberId: string | null;
  readonly status: OrderStatus;
  readonly refundedMinor: bigint;
  readonly items: readonly OrderItem[];
  /** Points that the order earned; null if it earned none. */
  readonly pointsAwarded: number | null;
  readonly pointsReversed: number;
  readonly createdAt: Date;
}

const columns = `o.id, o.external_order_id, o.member_id, o.store_id, o.coupon_id, o.status, o.currency,
   o.total_minor, o.subtotal_minor, o.discount_minor, o.tax_minor, o.shipping_minor, o.refunded_minor,
   o.items, o.points_awarded, o.points_reversed, o.occurred_at, o.created_at`;

export const orderById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Order>(
    `SELECT ${columns} FROM commerce.orders AS o
      WHERE ${inScope('o')} AND o.id = ${anyOf('$3::uuid[]')}`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** An order about to be written. */
export interface NewOrder extends Omit<CheckedOrder, 'buyer'> {
  readonly id: string;
  readonly memberId: string | null;
  readonly pointsAwarded: number | null;
  readonly fingerprint: Buffer;
}

/**
 * Inserts orders whose external id is new. If an id is repeated, the first order is written. Rows are written
 * in the order of their ids, so that two batches cannot deadlock. Waits for a transaction that writes the
 * same id.
 */
export async function insertOrders(ctx: Context, orders: readonly NewOrder[]): Promise<Order[]> {
  const rows = orders.map(({ fingerprint, ...order }, place) => ({
    ...order,
    place,
    fingerprint: fingerprint.toString('hex'),
  }));
  return ctx.sql.query<Order>(
    `WITH written AS (
     INSERT INTO commerce.orders AS o (id, workspace_id, mode, external_order_id, member_id, store_id,
       coupon_id, status, currency, total_minor, subtotal_minor, discount_minor, tax_minor, shipping_minor,
       items, points_awarded, fingerprint, occurred_at, created_at, updated_at)
     SELECT r.id, $1, $2::platform."Mode", r."externalOrderId", r."memberId", r."storeId", r."couponId",
            r.status, r.currency, r."totalMinor", r."subtotalMinor", r."discountMinor", r."taxMinor",
            r."shippingMinor", r.items, r."pointsAwarded", decode(r.fingerprint, 'hex'), r."occurredAt",
            $4, $4
       FROM jsonb_to_recordset($3::jsonb) AS r(id uuid, place int, "externalOrderId" text, "memberId" uuid,
              "storeId" uuid, "couponId" uuid, status commerce."OrderStatus", currency text,
              "totalMinor" bigint, "subtotalMinor" bigint, "discountMinor" bigint, "taxMinor" bigint,
              "shippingMinor" bigint, items jsonb, "pointsAwarded" int, fingerprint text,
              "occurredAt" timestamptz)
      ORDER BY r."externalOrderId", r.place
     ON CONFLICT (workspace_id, mode, external_order_id) DO NOTHING
     RETURNING ${columns}
     ), counted AS (${orderCounts.add(changeInScope('(SELECT count(*) FROM written)'))})
     SELECT * FROM written`,
    [...scopeOf(ctx), JSON.stringify(rows, bigintAsText), ctx.clock.now()],
  );
}

/** An order with the details that decide whether a new request is a repetition. */
export interface StoredOrder extends Order {
  /** The fingerprint of the request. */
  readonly fingerprint: Buffer;
  /** An import wrote or changed the order, so the fingerprint is not that of a request. */
  readonly isImported: boolean;
}

/** Orders by their external ids. */
export async function ordersByExternalId(
  ctx: Context,
  externalIds: readonly string[],
): Promise<StoredOrder[]> {
  return ctx.sql.query<StoredOrder>(
    `SELECT ${columns}, o.fingerprint, o.import_id IS NOT NULL AS is_imported FROM commerce.orders AS o
      WHERE ${inScope('o')} AND o.external_order_id = ANY($3::text[])`,
    [...scopeOf(ctx), externalIds],
  );
}

/** Reads an order and locks it until the transaction ends. */
export async function lockOrder(tx: Context, externalOrderId: string): Promise<Order | null> {
  const [row] = await tx.sql.query<Order>(
    `SELECT ${columns} FROM commerce.orders AS o
      WHERE ${inScope('o')} AND o.external_order_id = $3 FOR UPDATE`,
    [...scopeOf(tx), externalOrderId],
  );
  return row ?? null;
}

/**
 * Adds a refund to an order. Returns null and changes nothing if the refund exceeds the rest of the order.
 */
export async function addRefund(
  tx: Context,
  id: string,
  { amountMinor, points }: { readonly amountMinor: bigint; readonly points: number },
): Promise<Order | null> {
  const [row] = await tx.sql.query<Order>(
    `UPDATE commerce.orders AS o
        SET refunded_minor = o.refunded_minor + $4, points_reversed = o.points_reversed + $5,
            status = CASE WHEN o.refunded_minor + $4 = o.total_minor THEN 'REFUNDED'
                          ELSE 'PARTIALLY_REFUNDED' END::commerce."OrderStatus",
            updated_at = $6
      WHERE ${inScope('o')} AND o.id = $3
        AND o.status <> 'CANCELLED' AND o.refunded_minor + $4 <= o.total_minor
        AND o.points_reversed + $5 <= coalesce(o.points_awarded, 0)
      RETURNING ${columns}`,
    [...scopeOf(tx), id, amountMinor, points, tx.clock.now()],
  );
  return row ?? null;
}

/** Records that the order's points were not booked. */
export async function withdrawPoints(ctx: Context, id: string): Promise<void> {
  await ctx.sql.query(
    `UPDATE commerce.orders SET points_awarded = NULL, points_reversed = 0, updated_at = $4
      WHERE ${inScope('orders')} AND id = $3`,
    [...scopeOf(ctx), id, ctx.clock.now()],
  );
}

/** Conditions of a list; null matches every order. */
export interface OrderFilter {
  readonly memberId: string | null;
  readonly storeId: string | null;
  readonly status: OrderStatus | null;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly externalOrderId: string | null;
}

/** Whether the filter has no conditions. */
const isOpen = (filter: OrderFilter): boolean => Object.values(filter).every((condition) => !condition);

/**
 * SQL conditions on orders `o`. Absent conditions are omitted, so that each combination has its own query
 * plan.
 */
function conditionsOf(filter: OrderFilter, bind: (value: unknown) => string): string {
  const { memberId, storeId, status, from, to, externalOrderId } = filter;
  return [
    inScope('o'),
    ...(memberId ? [`o.member_id = ${bind(memberId)}`] : []),
    ...(storeId ? [`o.store_id = ${bind(storeId)}`] : []),
    ...(status ? [`o.status = ${bind(status)}::commerce."OrderStatus"`] : []),
    ...(from ? [`o.occurred_at >= ${bind(from)}`] : []),
    ...(to ? [`o.occurred_at < ${bind(to)}`] : []),
    ...(externalOrderId ? [`o.external_order_id = ${bind(externalOrderId)}`] : []),
  ].join(' AND ');
}

export async function ordersPage(
  ctx: Context,
  request: PageRequest,
  filter: OrderFilter,
): Promise<Page<Order>> {
  const params: unknown[] = [...scopeOf(ctx)];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = conditionsOf(filter, bind);
  const { order, beyond } = scan(request);
  const behindCursor = request.cursorId
    ? ` AND (o.occurred_at, o.id) ${beyond}
          (SELECT a.occurred_at, a.id FROM commerce.orders AS a
            WHERE ${inScope('a')} AND a.id = ${bind(request.cursorId)})`
    : '';
  const rows = await ctx.sql.query<Order>(
    `SELECT ${columns} FROM commerce.orders AS o WHERE ${where}${behindCursor}
      ORDER BY o.occurred_at ${order}, o.id ${order}
      LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`,
    params,
  );
  return page(request, rows, () => countOrders(ctx, filter));
}

export async function countOrders(ctx: Context, filter: OrderFilter): Promise<number> {
  if (isOpen(filter)) return orderCounts.total(ctx);
  const params: unknown[] = [...scopeOf(ctx)];
  const where = conditionsOf(filter, (value) => `$${params.push(value)}`);
  const [count] = await ctx.sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM commerce.orders AS o WHERE ${where}`,
    params,
  );
  return count?.total ?? 0;
}

/** The key of an order in a list sorted by `occurredAt`. */
export interface OrderPlace {
  readonly occurredAt: Date;
  readonly id: string;
}

/**
 * Returns the next orders after a place. A place is a time and an id, so that it stays valid when an import
 * changes the time of the order.
 */
export async function ordersBehind(
  ctx: Context,
  filter: OrderFilter,
  after: OrderPlace | null,
  limit: number,
): Promise<Order[]> {
  const params: unknown[] = [...scopeOf(ctx)];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = conditionsOf(filter, bind);
  const behind = after
    ? ` AND (o.occurred_at, o.id) < (${bind(after.occurredAt)}::timestamptz, ${bind(after.id)}::uuid)`
    : '';
  return ctx.sql.query<Order>(
    `SELECT ${columns} FROM commerce.orders AS o WHERE ${where}${behind}
      ORDER BY o.occurred_at DESC, o.id DESC LIMIT ${bind(limit)}`,
    params,
  );
}

const orderIds = pageLoader<string, { readonly id: string }>((ctx, wanted) => {
  const { owners, limits, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<{ place: bigint; id: string }>(
    `SELECT w.place, found.id
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::uuid[]')}
         WITH ORDINALITY AS w(member_id, rows, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT o.id, o.occurred_at FROM commerce.orders AS o
         WHERE ${inScope('o')} AND o.member_id = w.member_id
           AND (w.cursor_id IS NULL OR (o.occurred_at, o.id) ${beyond}
                 (SELECT a.occurred_at, a.id FROM commerce.orders AS a
                   WHERE ${inScope('a')} AND a.id = w.cursor_id
                     AND a.member_id = w.member_id))
         ORDER BY o.occurred_at ${order}, o.id ${order} LIMIT w.rows) AS found
      ORDER BY w.place, found.occurred_at ${order}, found.id ${order}`,
    [...scopeOf(ctx), owners, limits, cursorIds],
  );
});

/** Returns a page of a member's orders. Pages and orders of many members are batched. */
export async function memberOrders(ctx: Context, memberId: string, request: PageRequest): Promise<Order[]> {
  const ids = await orderIds(ctx, memberId, request);
  const found = await Promise.all(ids.map(({ id }) => ctx.load(orderById, id)));
  return found.filter((order) => order !== null);
}

export const orderCountByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const rows = await ctx.sql.query<{ memberId: string; total: number }>(
    `SELECT member_id, count(*)::int AS total FROM commerce.orders
      WHERE ${inScope('orders')} AND member_id = ${anyOf('$3::uuid[]')}
      GROUP BY member_id`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ memberId, total }) => [memberId, total]));
});

/** Adds new orders to the counter, which another statement of the transaction has written. */
export async function addToOrderCounts(tx: Context, orders: number): Promise<void> {
  if (orders > 0) await tx.sql.query(orderCounts.add(changeInScope('$3::int')), [...scopeOf(tx), orders]);
}
