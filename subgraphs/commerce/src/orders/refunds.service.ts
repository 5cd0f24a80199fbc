import { conflict } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish } from '@loyalty/platform/work/events';
import { amountBand } from '../amount-band.ts';
import { checkAmount, moneyOf } from '../money.ts';
import { optionalText } from '../optional-text.ts';
import { checkItems, type OrderItem, type OrderItemInput } from './order-items.ts';
import { checkExternalOrderId } from './orders.input.ts';
import { getOrderLocked, type Order, refundPart } from './orders.service.ts';
import { orderRefunded } from './refunds.events.ts';
import {
  clearReasons,
  countRefunds,
  findRefund,
  insertRefund,
  type Refund,
  refundsByOrder,
} from './refunds.store.ts';

/** Maximum per order, because all refunds of an order are read at once. */
const REFUNDS_MAX = 100;

export interface RefundOrder {
  readonly amount?: number | bigint | null | undefined;
  readonly reason?: string | null | undefined;
  readonly refundId?: string | null | undefined;
  readonly items?: readonly OrderItemInput[] | null | undefined;
}

/** A refund with the currency of its amounts. */
export interface PricedRefund extends Refund {
  readonly currency: string;
}

export interface Refunded {
  readonly order: Order;
  readonly refund: Refund;
}

interface Wanted {
  /** Null for the whole rest of the order. */
  readonly amountMinor: bigint | null;
  readonly reason: string | null;
  readonly externalId: string | null;
  readonly items: readonly OrderItem[];
}

/** Lists the refunds of an order, oldest first. Batched by order. */
export const listRefunds = async (ctx: Context, orderId: string): Promise<readonly Refund[]> =>
  (await ctx.load(refundsByOrder, orderId)) ?? [];

/**
 * Refunds an order, in full or in part, and takes back the same share of its points, in whole points. A full
 * refund takes back all points. Refunds of one order are serialized and never exceed its total.
 *
 * @param input.amount - minor units; default: the rest of the order
 * @param input.refundId - a request with the same id returns the first refund
 * @throws AppError VALIDATION_FAILED (400), ORDER_NOT_FOUND (404), REFUND_OVER_TOTAL,
 * REFUND_EXISTS_DIFFERENT, REFUND_LIMIT, ORDER_CANCELLED (409), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Orders", POST /orders/{externalOrderId}/refund
 */
export async function refundOrder(
  ctx: Context,
  externalOrderId: string,
  input: RefundOrder,
): Promise<Refunded> {
  const wanted = checkRefund(input);
  const id = checkExternalOrderId('externalOrderId', externalOrderId);
  await guardWrite(ctx, 'value');
  return ctx.transaction(async (tx) => {
    const order = await getOrderLocked(tx, id);
    const first = wanted.externalId ? await findRefund(tx, order.id, wanted.externalId) : null;
    if (first) return { order, refund: sameRefund(first, wanted) };
    if (order.status === 'CANCELLED')
      throw conflict('ORDER_CANCELLED', 'The order was cancelled: there is nothing to refund.');
    if ((await countRefunds(tx, order.id)) >= REFUNDS_MAX)
      throw conflict('REFUND_LIMIT', `The order has ${REFUNDS_MAX} refunds. No more can be recorded.`);
    return refundLocked(tx, order, wanted);
  });
}

async function refundLocked(tx: Context, order: Order, wanted: Wanted): Promise<Refunded> {
  const leftMinor = order.totalMinor - order.refundedMinor;
  const amountMinor = wanted.amountMinor ?? leftMinor;
  if (amountMinor < 1n || amountMinor > leftMinor) throw overTotal(leftMinor);
  const points = pointsToReverse(order, amountMinor);
  const after = await refundPart(tx, order, { amountMinor, points });
  if (!after) throw overTotal(leftMinor);
  const { reason, externalId, items } = wanted;
  const row = { id: newId(tx.clock), orderId: order.id, externalId, amountMinor, reason, items };
  const refund = await insertRefund(tx, { ...row, pointsReversed: points });
  await publish(tx, orderRefunded, {
    orderId: order.id,
    refundId: refund.id,
    memberId: order.memberId,
    points,
    amountBand: amountBand(moneyOf(amountMinor, order.currency)),
  });
  return { order: after, refund };
}

function checkRefund({ amount, reason, refundId, items }: RefundOrder): Wanted {
  return {
    amountMinor: amount === null || amount === undefined ? null : checkAmount('input.amount', amount, 1n),
    reason: optionalText('input.reason', reason, 500),
    externalId: optionalText('input.refundId', refundId, 200),
    items: checkItems('input.items', items),
  };
}

function sameRefund(first: Refund, { amountMinor }: Wanted): Refund {
  if (amountMinor === null || amountMinor === first.amountMinor) return first;
  throw conflict(
    'REFUND_EXISTS_DIFFERENT',
    `A refund of ${first.amountMinor} has this refundId. Send that amount, or another id.`,
    { field: 'input.refundId' },
  );
}

const overTotal = (leftMinor: bigint) =>
  conflict(
    'REFUND_OVER_TOTAL',
    leftMinor > 0n
      ? `The order has ${leftMinor} minor units left to refund. Refund at most that.`
      : 'All of the order is refunded already.',
    { field: 'input.amount' },
  );

/** Clears the reasons of refunds of an erased member. Amounts and items stay for accounting. */
export const eraseRefundReasons = (ctx: Context, memberId: string): Promise<void> =>
  clearReasons(ctx, memberId);

/** An order with its former refunds. */
export interface RefundedSoFar {
  readonly totalMinor: bigint;
  readonly refundedMinor: bigint;
  readonly pointsAwarded: number | null;
  readonly pointsReversed: number;
}

/**
 * Computes the points that a refund takes back: the refunded share of the order's points in total, rounded
 * down, minus the points taken back before. So the last refund takes back all remaining points.
 *
 * @param amountMinor - at most the rest of the order
 */
export function pointsToReverse(order: RefundedSoFar, amountMinor: bigint): number {
  const points = order.pointsAwarded ?? 0;
  if (order.totalMinor <= 0n || points === 0) return 0;
  const refundedMinor = order.refundedMinor + amountMinor;
  const share = Number((BigInt(points) * refundedMinor) / order.totalMinor);
  return Math.max(share - order.pointsReversed, 0);
}
