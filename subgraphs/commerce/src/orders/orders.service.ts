import { type AppError, invalid, notFound } from '@loyalty/platform/base/errors';
import { inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import type { OrderInput } from './orders.input.ts';
import {
  addRefund,
  countOrders,
  lockOrder,
  memberOrders,
  type Order,
  type OrderFilter,
  type OrderPlace,
  type OrderStatus,
  orderById,
  orderCountByMember,
  ordersBehind,
  ordersPage,
  withdrawPoints,
} from './orders.store.ts';
import { type OrderResult, placeOrders } from './place-orders.service.ts';

export type { Order, OrderPlace };
export { countOrders, ordersBehind };

/** The results of a batch, in the order of the inputs. */
export type OrderResults = readonly (Exclude<OrderResult, { error: unknown }> | Refused)[];
export type IndexedOrderResult = OrderResults[number] & { readonly index: number };

/** A plain object, because a response that is replayed for an Idempotency-Key is JSON. */
interface Refused {
  readonly error: { readonly code: string; readonly message: string };
}

const plainError = ({ code, message }: AppError) => ({ code, message });

const BATCH_MAX = 100;
const MEMBER_PAGE_DEFAULT = 10;

/** Returns an order by id, or null if the workspace has no such order. */
export const findOrder = (ctx: Context, id: string): Promise<Order | null> => ctx.load(orderById, id);

/**
 * Records an order. Its points, by the earning rules and the member's tier, are fixed now and booked after an
 * event. An order that is sent again, also at the same time, is returned unchanged and published only once.
 *
 * @throws AppError VALIDATION_FAILED, AMOUNT_OVER_CAP (400), MEMBER_NOT_FOUND, STORE_NOT_FOUND (404),
 * ORDER_EXISTS_DIFFERENT (409), RATE_LIMITED (429), GUARD_UNAVAILABLE, PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Orders", POST /orders
 */
export async function createOrder(ctx: Context, input: OrderInput): Promise<Order> {
  await guardWrite(ctx, 'value');
  const [placed] = await placeOrders(ctx, [input], 'input.');
  if ('error' in placed!) throw placed.error;
  return placed!.order;
}

/**
 * Records 1 to 100 orders as `createOrder` does. An invalid order does not affect the others.
 *
 * @returns in the order of the inputs
 *
 * @throws AppError VALIDATION_FAILED (400) for a wrong number of orders, RATE_LIMITED (429),
 * GUARD_UNAVAILABLE, PEER_UNAVAILABLE (503); the error of a single order is its result
 * @remarks Source: v2 REST API, section 4 "Orders", POST /orders/batch
 */
export async function createOrders(ctx: Context, inputs: readonly OrderInput[]): Promise<OrderResults> {
  if (inputs.length < 1 || inputs.length > BATCH_MAX)
    throw invalid('input', `must have between 1 and ${BATCH_MAX} orders`);
  await guardWrite(ctx, 'value');
  const placed = await placeOrders(ctx, inputs, '');
  return placed.map((each) => ('error' in each ? { error: plainError(each.error) } : each));
}

/**
 * Lists orders by the time at which they were placed, newest first.
 *
 * @param args.from - inclusive; `to` is exclusive
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 * @remarks Source: v2 REST API, section 4 "Orders", GET /orders
 */
export const listOrders = async (ctx: Context, args: PageArgs & OrderConditions): Promise<Page<Order>> =>
  ordersPage(ctx, pageRequest(args), orderFilter(args, 'to'));

/** Conditions of a list of orders, as callers write them. An absent condition matches every order. */
interface OrderConditions {
  readonly memberId?: string | null | undefined;
  readonly storeId?: string | null | undefined;
  readonly status?: OrderStatus | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
  readonly externalOrderId?: string | null | undefined;
}

/**
 * Validates conditions.
 *
 * @param field - the name of `to` in an error
 * @throws AppError VALIDATION_FAILED (400)
 */
export function orderFilter(args: OrderConditions, field: string): OrderFilter {
  const { memberId = null, storeId = null, status = null, from = null, to = null } = args;
  if (from && to && to <= from) throw invalid(field, inputRule('END_BEFORE_START', 'must be after from'));
  return { memberId, storeId, status, from, to, externalOrderId: args.externalOrderId?.trim() || null };
}

/**
 * Returns a page of a member's orders, newest first. Batched by member.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listMemberOrders(ctx: Context, memberId: string, args: PageArgs): Promise<Page<Order>> {
  const request = pageRequest(args, MEMBER_PAGE_DEFAULT);
  const rows = await memberOrders(ctx, memberId, request);
  return page(request, rows, async () => (await ctx.load(orderCountByMember, memberId)) ?? 0);
}

/** Records that loyalty did not book the order's points, because the member was closed by then. */
export const clearPoints = (ctx: Context, orderId: string): Promise<void> => withdrawPoints(ctx, orderId);

/** Returns the order with this id of the shop's systems and locks it until the transaction ends. */
export async function getOrderLocked(tx: Context, externalOrderId: string): Promise<Order> {
  const order = await lockOrder(tx, externalOrderId);
  if (!order) throw notFound('order', externalOrderId);
  return order;
}

/**
 * Adds a refund to an order in the caller's transaction. Returns null if the refund exceeds the rest of the
 * order.
 */
export const refundPart = (
  tx: Context,
  order: Order,
  part: { readonly amountMinor: bigint; readonly points: number },
): Promise<Order | null> => addRefund(tx, order.id, part);
