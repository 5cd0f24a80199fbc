import type { Context } from '@loyalty/platform/context';
import { noteCorrectedOrders } from './bought-items.service.ts';
import { type LatestOrder, lockLatestOrders, moveOrders } from './corrections.store.ts';
import type { OrderFact } from './fact.ts';
import { copyFacts, type StoredFact } from './facts.store.ts';
import { recordCorrections } from './record-facts.service.ts';

/** The current state of a known order; without a member if it is an order of a guest. */
type Correction = Omit<OrderFact, 'memberId' | 'recordedAt'> & {
  readonly memberId: string | null;
  /**
   * Of two corrections of one order, the one with the later time counts, in whatever sequence they arrive.
   */
  readonly recordedAt: Date;
};

/**
 * Appends facts of known orders that have changed, so that statistics up to any moment use the current state
 * of the orders. An order that moved to another member is cancelled for the former one. A repeated or older
 * correction changes nothing.
 */
export async function correctOrders(tx: Context, corrections: readonly Correction[]): Promise<void> {
  if (corrections.length === 0) return;
  const byId = new Map(corrections.map((correction) => [correction.externalId, correction]));
  const facts: StoredFact<'ORDERS'>[] = [];
  const moved: StoredFact<'ORDERS'>[] = [];
  for (const latest of await lockLatestOrders(tx, [...byId.keys()])) {
    const correction = byId.get(latest.externalId)!;
    if (latest.recordedAt > correction.recordedAt) continue;
    const { memberId, recordedAt } = correction;
    if (memberId !== latest.memberId && latest.status !== 'CANCELLED')
      facts.push({ ...latest, amountMinor: 0n, status: 'CANCELLED', recordedAt });
    if (memberId === null || isUnchanged(latest, correction)) continue;
    const fact = { ...correction, memberId, orderId: latest.orderId };
    facts.push(fact);
    if (memberId !== latest.memberId || fact.occurredAt.getTime() !== latest.occurredAt.getTime())
      moved.push(fact);
  }
  if (facts.length === 0) return;
  await copyFacts(tx, 'ORDERS', facts);
  if (moved.length > 0) await moveOrders(tx, moved);
  await recordCorrections(tx, facts);
  await noteCorrectedOrders(tx, facts);
}

const isUnchanged = (latest: LatestOrder, correction: Correction): boolean =>
  latest.memberId === correction.memberId &&
  latest.amountMinor === correction.amountMinor &&
  latest.currency === correction.currency &&
  latest.status === correction.status &&
  latest.occurredAt.getTime() === correction.occurredAt.getTime();
