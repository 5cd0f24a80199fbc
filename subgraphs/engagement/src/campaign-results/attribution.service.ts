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
  insertConcerned,
  takeOrders,
  tryLockAttribution,
  updateRevenue,
  waitingScopes,
} from './attribution.store.ts';

/** Live channel that wakes who attributes orders. */
export const ORDERS_TO_ATTRIBUTE_CHANNEL = 'orders-to-attribute';

/** No window is longer, in days. */
const WINDOW_DAYS_MAX = 90;

/** Orders that one transaction takes. */
const BATCH = 500;

/** Workspaces and modes that one turn visits. */
const SCOPES = 50;

/** Keeps the orders and refunds of members who had a message or are in the audience of a campaign. */
export async function keepConcerned(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  const since = addMs(tx.clock.now(), -WINDOW_DAYS_MAX * DAY_MS);
  if (!(await insertConcerned(tx, events, since))) return;
  tx.afterCommit(() => tx.services.live.publish(ORDERS_TO_ATTRIBUTE_CHANNEL, 'new'));
}

/**
 * Attributes orders that wait, as they are now. Whatever interrupts this, they wait on; to attribute an order
 * twice changes nothing.
 *
 * @throws what failed in one of the workspaces
 * @returns whether more orders may wait
 */
export async function attributeOrders(ctx: Context): Promise<{ readonly isMore: boolean }> {
  const scopes = await waitingScopes(ctx, SCOPES);
  let isMore = scopes.length === SCOPES;
  // What fails in one workspace must not hold up the others.
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

/** In one transaction, and one at a time, so that an old answer about an order never replaces a newer one. */
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
  await insertAttributions(tx, await ofOpenMembers(tx, counted));
  return waiting.length;
}

/** Without those of members who were erased or whose data may not be processed. */
async function ofOpenMembers(tx: Context, orders: readonly CountedOrder[]): Promise<CountedOrder[]> {
  if (orders.length === 0) return [];
  const members = await findMembers(tx, { ids: [...new Set(orders.map(({ memberId }) => memberId))] });
  const open = new Set(members.flatMap(({ id, isRestricted }) => (isRestricted ? [] : [id])));
  return orders.filter(({ memberId }) => open.has(memberId));
}

/** Which orders of a member followed a message, for an export of the member's data. */
export const attributedOrdersOf = (ctx: Context, memberId: string): Promise<Record<string, unknown>[]> =>
  attributionsOfMember(ctx, memberId);

/** Deletes which orders of an erased member followed a message. */
export const forgetAttributions = (ctx: Context, memberId: string): Promise<void> =>
  deleteOfMember(ctx, memberId);

/** Orders of these that were cancelled or wholly refunded count for nobody. */
const uncounted: ReadonlySet<string> = new Set(['CANCELLED', 'REFUNDED']);

/**
 * Orders of members as commerce has them now, with what is left after refunds.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
async function countedOrders(ctx: Context, ids: readonly string[]): Promise<CountedOrder[]> {
  const answer = await ctx.services.peers.ask(ctx, 'commerce', questions.OrdersToAttribute, { ids });
  return answer._orderFacts.flatMap(({ memberId, status, ...order }) =>
    memberId && !uncounted.has(status)
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
