import type { Context } from '@loyalty/platform/context';
import { recordCorrections } from '../statistics/record-facts.service.ts';
import { type LatestOrder, lockLatestOrders, moveOrders } from './corrections.store.ts';
import type { OrderFact } from '../facts/fact.ts';
import { copyFacts, type StoredFact } from '../facts/facts.store.ts';

/** How an order that is known is by now; null as a member where it is a guest's. */
export type Correction = Omit<OrderFact, 'memberId' | 'recordedAt'> & {
  readonly memberId: string | null;
  /** Of two corrections of one order the later holds, whichever is told first. */
  readonly recordedAt: Date;
};

/**
 * Appends what changed of orders that are known, so that statistics up to any moment are of the orders as
 * they are now; an order that went to somebody else is cancelled for whoever had it. The same told again, or
 * something older, changes nothing.
 */
export async function correctOrders(tx: Context, corrections: readonly Correction[]): Promise<void> {
  if (corrections.length === 0) return;
  const byId = new Map(corrections.map((correction) => [correction.externalId, correction]));
  const facts: StoredFact<'ORDERS'>[] = [];
  const moved: StoredFact<'ORDERS'>[] = [];
  for (const latest of await lockLatestOrders(tx, [...byId.keys()])) {
    const told = byId.get(latest.externalId)!;
    if (latest.recordedAt > told.recordedAt) continue;
    const { memberId } = told;
    const recordedAt = told.recordedAt;
    if (memberId !== latest.memberId && latest.status !== 'CANCELLED')
      facts.push({ ...latest, amountMinor: 0n, status: 'CANCELLED', recordedAt });
    if (memberId === null || isAsTold(latest, told)) continue;
    const fact = { ...told, memberId, orderId: latest.orderId };
    facts.push(fact);
    if (memberId !== latest.memberId || fact.occurredAt.getTime() !== latest.occurredAt.getTime())
      moved.push(fact);
  }
  if (facts.length === 0) return;
  await copyFacts(tx, 'ORDERS', facts);
  if (moved.length > 0) await moveOrders(tx, moved);
  await recordCorrections(tx, facts);
}

const isAsTold = (latest: LatestOrder, told: Correction): boolean =>
  latest.memberId === told.memberId &&
  latest.amountMinor === told.amountMinor &&
  latest.currency === told.currency &&
  latest.status === told.status &&
  latest.occurredAt.getTime() === told.occurredAt.getTime();
