import { AppError, busy, conflict, invalid } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/work/events';
import { amountBand } from '../amount-band.ts';
import { evaluateEarnings } from '../earning-rules/earning-rules.service.ts';
import { multiplied } from '../earning-rules/evaluate-earning.ts';
import { isOpen } from '../members.ts';
import { moneyOf } from '../money.ts';
import { storeRefs } from '../stores/stores.service.ts';
import { type FoundBuyer, findBuyers } from './buyers.ts';
import { earningItems } from './order-items.ts';
import { orderCreated } from './orders.events.ts';
import { type CheckedOrder, checkOrder, fingerprintOf, type OrderInput } from './orders.input.ts';
import {
  insertOrders,
  type NewOrder,
  type Order,
  ordersByExternalId,
  type StoredOrder,
} from './orders.store.ts';

/** The result of one order of a batch. */
export type OrderResult =
  | { readonly order: Order; readonly isCreated: boolean }
  | { readonly error: AppError };

/** An order that can be written, with all fingerprints that an earlier request of it can have. */
interface Ready {
  readonly order: NewOrder;
  readonly fingerprints: readonly Buffer[];
}

/**
 * Records orders with one query for all members and one statement for all rows. An invalid order does not
 * affect the others.
 *
 * @param prefix - of the paths of fields in errors, such as `input.`
 * @returns in the order of the inputs
 * @throws AppError PEER_UNAVAILABLE (503); the error of a single order is its result
 */
export async function placeOrders(
  ctx: Context,
  inputs: readonly OrderInput[],
  prefix: string,
): Promise<OrderResult[]> {
  const checked = inputs.map((input) => attempt(() => checkOrder(prefix, input, ctx.clock.now())));
  const good = checked.filter((order): order is CheckedOrder => !(order instanceof AppError));
  const [buyerOf, hasStore] = [
    await findBuyers(
      ctx,
      good.map(({ buyer }) => buyer),
    ),
    await knownStores(ctx, good),
  ];
  const found = checked.map((order) =>
    order instanceof AppError ? order : attempt(() => known(order, prefix, buyerOf, hasStore)),
  );
  const points = await pointsOf(ctx, found);
  const ready = found.map((known) =>
    known instanceof AppError
      ? known
      : attempt(() => toReadyOrder(ctx, known, checkCap(ctx, prefix, points.get(known) ?? 0))),
  );
  return write(ctx, ready, prefix);
}

/** Returns an AppError, which concerns one order only. Any other error ends the call. */
function attempt<T>(act: () => T): T | AppError {
  try {
    return act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

interface Known extends FoundBuyer {
  readonly order: CheckedOrder;
}

function known(
  order: CheckedOrder,
  prefix: string,
  buyerOf: Awaited<ReturnType<typeof findBuyers>>,
  hasStore: (id: string) => boolean,
): Known {
  if (order.storeId && !hasStore(order.storeId)) {
    const sentence = `${prefix}storeId names no store. Create the store first, or omit it.`;
    throw new AppError('NOT_FOUND', 'STORE_NOT_FOUND', sentence, { field: `${prefix}storeId` });
  }
  return { order, ...buyerOf(order.buyer, prefix) };
}

async function knownStores(ctx: Context, orders: readonly CheckedOrder[]): Promise<(id: string) => boolean> {
  const ids = [...new Set(orders.flatMap(({ storeId }) => storeId ?? []))];
  const stores = new Set(ids.length > 0 ? (await storeRefs(ctx, ids)).map(({ id }) => id) : []);
  return (id) => stores.has(id);
}

const earns = ({ order, member }: Known): boolean => order.status !== 'CANCELLED' && isOpen(member);

/** The points of each order: the points of the rules times the multiplier of the member's tier. */
async function pointsOf(ctx: Context, found: readonly (Known | AppError)[]): Promise<Map<Known, number>> {
  const earning = found.filter((each): each is Known => !(each instanceof AppError) && earns(each));
  const earned = await evaluateEarnings(
    ctx,
    earning.map(({ order: { totalMinor, currency, occurredAt, items } }) => ({
      kind: 'ORDER',
      totalMinor,
      currency,
      occurredAt,
      items: earningItems(items),
    })),
  );
  return new Map(
    earning.map((each, place) => [each, multiplied(earned[place]!.points, each.member!.tierMultiplier)]),
  );
}

/** Checks the workspace's cap, which applies to each order. */
function checkCap(ctx: Context, prefix: string, points: number): number {
  const { valueCap } = ctx.caller.limits;
  if (points > valueCap) {
    const rule = `would earn ${points} points; the workspace's cap is ${valueCap}`;
    throw invalid(`${prefix}total`, rule, 'AMOUNT_OVER_CAP');
  }
  return points;
}

function toReadyOrder(
  ctx: Context,
  { order: checked, member, fingerprintKeys }: Known,
  points: number,
): Ready {
  const { buyer: _, ...order } = checked;
  const [fingerprint, ...older] = fingerprintKeys.map((key) => fingerprintOf(checked, key));
  const ids = { id: newId(ctx.clock), memberId: member?.id ?? null };
  return {
    order: { ...order, ...ids, pointsAwarded: points || null, fingerprint: fingerprint! },
    fingerprints: [fingerprint!, ...older],
  };
}

async function write(
  ctx: Context,
  ready: readonly (Ready | AppError)[],
  prefix: string,
): Promise<OrderResult[]> {
  const orders = ready.flatMap((each) => (each instanceof AppError ? [] : [each.order]));
  const { created, existing } = await ctx.transaction((tx) => insertAndPublish(tx, orders));
  return ready.map((each) => {
    if (each instanceof AppError) return { error: each };
    const { id, externalOrderId } = each.order;
    const order = created.get(id);
    if (order) return { order, isCreated: true };
    const other = existing.get(externalOrderId);
    if (!other) return { error: busy('ORDER_CHANGING', 'The order is being written. Try again.') };
    return each.fingerprints.some((fingerprint) => fingerprint.equals(other.fingerprint)) ||
      isSame(each.order, other)
      ? { order: other, isCreated: false }
      : { error: existsDifferent(prefix) };
  });
}

/** Whether the order was imported with the same content. */
const isSame = (sent: NewOrder, kept: StoredOrder): boolean =>
  kept.isImported &&
  factsOf(sent) === factsOf(kept) &&
  (sent.status === kept.status || kept.refundedMinor > 0n);

const factsOf = (order: Omit<NewOrder, 'fingerprint' | 'pointsAwarded' | 'id' | 'status'>): string =>
  [
    ...[order.memberId, order.storeId, order.couponId, order.currency, order.occurredAt.toISOString()],
    ...[order.totalMinor, order.subtotalMinor, order.discountMinor, order.taxMinor, order.shippingMinor],
    ...order.items.flatMap(({ productId, externalProductId, sku, name, quantity, unitPriceMinor }) =>
      JSON.stringify([productId, externalProductId, sku, name, quantity, String(unitPriceMinor)]),
    ),
  ].join('|');

async function insertAndPublish(tx: Context, orders: readonly NewOrder[]) {
  const written = orders.length > 0 ? await insertOrders(tx, orders) : [];
  await publishAll(
    tx,
    orderCreated,
    written.map(({ id, memberId, storeId, pointsAwarded, totalMinor, currency }) => ({
      orderId: id,
      memberId,
      storeId,
      points: pointsAwarded ?? 0,
      amountBand: amountBand(moneyOf(totalMinor, currency)),
    })),
  );
  const created = new Map(written.map((order) => [order.id, order]));
  const others = orders.filter(({ id }) => !created.has(id)).map(({ externalOrderId }) => externalOrderId);
  const found = others.length > 0 ? await ordersByExternalId(tx, others) : [];
  return { created, existing: new Map(found.map((order) => [order.externalOrderId, order])) };
}

const existsDifferent = (prefix: string): AppError =>
  conflict(
    'ORDER_EXISTS_DIFFERENT',
    'Another order has this externalOrderId. Send what was sent first, or another id.',
    { field: `${prefix}externalOrderId` },
  );
