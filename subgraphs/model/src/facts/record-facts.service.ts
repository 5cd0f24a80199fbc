import { inTurns } from '@loyalty/platform/base/batches';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import type { EventFact, OrderFact } from './fact.ts';
import { foldEvents, foldOrders } from './fold.ts';
import {
  addToCartPool,
  type EventDelta,
  markDirty,
  mergeEvents,
  mergePurchases,
  type PurchaseDelta,
} from './merge.store.ts';
import { dayIn } from './workspace-day.ts';

/**
 * Updates statistics with orders that were written in this transaction and not known before.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function recordOrders(tx: Context, orders: readonly OrderFact[]): Promise<void> {
  const timeZone = await timeZoneOf(tx);
  const dayOf = dayIn(timeZone);
  const deltas: PurchaseDelta[] = [];
  for await (const [memberId, facts] of inTurns(byMember(orders))) {
    const folded = facts.map((fact) => ({ ...fact, ms: fact.occurredAt.getTime() }));
    deltas.push({ memberId, maxOccurredMs: latestMs(facts), ...foldOrders(folded, dayOf) });
  }
  await mergePurchases(tx, timeZone, deltas);
}

/**
 * Updates statistics with events that were written in this transaction and not known before. The workspace's
 * counters come last, because all events of the workspace wait for this one row.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function recordEvents(tx: Context, events: readonly EventFact[]): Promise<void> {
  const timeZone = await timeZoneOf(tx);
  let [adds, removes] = [0, 0];
  const deltas: EventDelta[] = [];
  for await (const [memberId, facts] of inTurns(byMember(events))) {
    const timed = facts.map(({ occurredAt, type }) => ({ ms: occurredAt.getTime(), type }));
    const folded = foldEvents(timed.sort((a, b) => a.ms - b.ms));
    adds += folded.cartAdds;
    removes += folded.cartRemoves;
    deltas.push({ memberId, maxOccurredMs: folded.lastEventMs!, ...folded });
  }
  await mergeEvents(tx, timeZone, deltas);
  if (adds + removes > 0) await addToCartPool(tx, adds, removes);
}

/** Marks the members of orders that changed in this transaction: they are folded again when they are read. */
export async function recordCorrections(
  tx: Context,
  orders: readonly Pick<OrderFact, 'memberId' | 'occurredAt'>[],
): Promise<void> {
  const members = byMember(orders);
  await markDirty(
    tx,
    members.map(([memberId]) => memberId),
    members.map(([, facts]) => new Date(latestMs(facts))),
  );
}

const latestMs = (facts: readonly Pick<OrderFact, 'occurredAt'>[]): number =>
  facts.reduce((latest, { occurredAt }) => Math.max(latest, occurredAt.getTime()), Number.NEGATIVE_INFINITY);

/** Facts by member. Sorted, so that all transactions lock rows in the same order. */
const byMember = <Fact extends { readonly memberId: string }>(facts: readonly Fact[]): [string, Fact[]][] =>
  [...Map.groupBy(facts, ({ memberId }) => memberId)].sort(([a], [b]) => (a < b ? -1 : 1));
