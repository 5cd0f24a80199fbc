import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import { findMembers, questions } from '../peers.ts';
import {
  attributionsOfMember,
  type CountedOrder,
  deleteAttributions,
  deleteOfMember,
  insertAttributions,
  insertRelevantOrders,
  takeOrders,
  tryLockAttribution,
  updateRevenue,
  waitingScopes,
} from './attribution.store.ts';

/** Live channel that wakes the workers that attribute orders. */
export const ORDERS_TO_ATTRIBUTE_CHANNEL = 'orders-to-attribute';

/** Maximum attribution window, in days. */
const WINDOW_DAYS_MAX = 90;

/** Batch size: orders per transaction. */
const BATCH = 500;

/** Maximum number of workspaces and modes per turn. */
const SCOPES = 50;

/** Stores the orders and refunds of members who received a message or are in the audience of a campaign. */
export async function storeRelevantOrders(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  const since = addMs(tx.clock.now(), -WINDOW_DAYS_MAX * DAY_MS);
  if (!(await insertRelevantOrders(tx, events, since))) return;
  tx.afterCommit(() => tx.services.live.publish(ORDERS_TO_ATTRIBUTE_CHANNEL, 'new'));
}

/**
 * Attributes waiting orders with their current amounts. After an interruption they are still waiting, and a
 * repeated attribution changes nothing.
 *
 * @throws the first error of a workspace
 * @returns whether more orders may wait
 */
export async function attributeOrders(ctx: Context): Promise<{ readonly isMore: boolean }> {
  const scopes = await waitingScopes(ctx, SCOPES);
  let isMore = scopes.length === SCOPES;
  // A failure in one workspace must not delay the others.
  const failures: unknown[] = [];
  for (const scope of scopes) {
    const scoped = ctx.as(systemCaller('attribute-orders', scope));
    const taken = await scoped.transaction(attributeBatch).catch((error: unknown) => {
      failures.push(error);
      return 0;
    });
    isMore ||= taken === BATCH;
  }
  if (failures.length > 0) throw failures[0];
  return { isMore };
}

/**
 * Attributes a batch in one transaction under a lock, so that old data of an order never replaces newer data.
 */
async function attributeBatch(tx: Context): Promise<number> {
  if (!(await tryLockAttribution(tx))) return 0;
  const waiting = await takeOrders(tx, BATCH);
  const ids = [...new Set(waiting)];
  if (ids.length === 0) return 0;
  const counted = await countedOrders(tx, ids);
  const kept = new Set(counted.map(({ id }) => id));
  await deleteAttributions(
    tx,
    ids.filter((id) => !kept.has(id)),
  );
  await updateRevenue(tx, counted);
  await insertAttributions(tx, await withoutRestricted(tx, counted));
  return waiting.length;
}

/** Removes orders of members who were erased or whose data may not be processed. */
async function withoutRestricted(tx: Context, orders: readonly CountedOrder[]): Promise<CountedOrder[]> {
  if (orders.length === 0) return [];
  const members = await findMembers(tx, { ids: [...new Set(orders.map(({ memberId }) => memberId))] });
  const open = new Set(members.flatMap(({ id, isRestricted }) => (isRestricted ? [] : [id])));
  return orders.filter(({ memberId }) => open.has(memberId));
}

/** Returns the attributed orders of a member, for an export of the member's data. */
export const attributedOrdersOf = (ctx: Context, memberId: string): Promise<Record<string, unknown>[]> =>
  attributionsOfMember(ctx, memberId);

/** Deletes the attributions of an erased member. */
export const eraseAttributions = (ctx: Context, memberId: string): Promise<void> =>
  deleteOfMember(ctx, memberId);

/** Orders with these statuses are not attributed. */
const notAttributed: ReadonlySet<string> = new Set(['CANCELLED', 'REFUNDED']);

/**
 * Returns the current orders of members from commerce, with their amounts after refunds.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
async function countedOrders(ctx: Context, ids: readonly string[]): Promise<CountedOrder[]> {
  const answer = await ctx.services.peers.ask(ctx, 'commerce', questions.OrdersToAttribute, { ids });
  return answer._orderFacts.flatMap(({ memberId, status, ...order }) =>
    memberId && !notAttributed.has(status)
      ? [
          {
            id: order.id,
            memberId,
            orderedAt: new Date(order.occurredAt),
            currency: order.currency,
            revenueMinor: BigInt(order.totalMinor) - BigInt(order.refundedMinor),
          },
        ]
      : [],
  );
}
