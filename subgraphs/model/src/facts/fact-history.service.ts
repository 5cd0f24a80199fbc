import type { Context } from '@loyalty/platform/context';
import { eventsUpTo, ordersUpTo, type PastEvent, type PastOrder } from './fact-history.store.ts';

/** The most orders or events of one member that are read at once; no real customer has more. */
const FACTS_MAX = 50_000;

/** Orders and events of a member up to a moment; null if there are too many to read. */
export type History = {
  readonly orders: readonly PastOrder[];
  /** Sorted by time. */
  readonly events: readonly PastEvent[];
} | null;

/**
 * Reads the orders (each by its latest fact) and events of many members up to a moment, in two statements.
 */
export async function readHistories(
  ctx: Context,
  memberIds: readonly string[],
  until: Date,
): Promise<readonly History[]> {
  const orders = byPlace(await ordersUpTo(ctx, memberIds, until, FACTS_MAX + 1), memberIds.length);
  const events = byPlace(await eventsUpTo(ctx, memberIds, until, FACTS_MAX + 1), memberIds.length);
  return memberIds.map((_, place) => {
    const history = { orders: orders[place]!, events: events[place]! };
    return Math.max(history.orders.length, history.events.length) > FACTS_MAX ? null : history;
  });
}

function byPlace<T extends { readonly place: number }>(rows: readonly T[], size: number): T[][] {
  const lists = Array.from({ length: size }, (): T[] => []);
  for (const row of rows) lists[row.place]!.push(row);
  return lists;
}
