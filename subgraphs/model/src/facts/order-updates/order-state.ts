import type { OrderState, OrderUpdate } from './order-update.ts';

type Change = Pick<OrderUpdate, 'externalId' | 'status' | 'amountMinor' | 'occurredAt'>;

/**
 * What an order is after all of its corrections, whichever came first: the status of the latest one by its
 * own time, and the amount of the latest one that has an amount. Of two at the same time the one with the
 * greater id is the later. A change that commerce recorded replaces all corrections before it.
 *
 * @param facts - of the order, in the order in which they hold; at least one
 * @returns the fact to append; null where the order is that already
 */
export function correctedState(
  facts: readonly OrderState[],
  updates: readonly Change[],
): Omit<OrderState, 'isUpdate'> | null {
  const own = facts.filter(({ isUpdate }) => !isUpdate);
  const [latest, base] = [facts.at(-1)!, own.at(-1)!];
  const counted = (own.length > 1 ? updates.filter(isAfter(base.recordedAt)) : [...updates]).sort(byTime);
  const last = counted.at(-1);
  if (!last) return null;
  const { status } = last;
  const amountMinor = counted.findLast((update) => update.amountMinor !== null)?.amountMinor;
  const state = { ...base, status, amountMinor: amountMinor ?? base.amountMinor };
  if (status === latest.status && state.amountMinor === latest.amountMinor) return null;
  // After the fact that held until now, so that every reader finds it.
  const recordedMs = Math.max(last.occurredAt.getTime(), latest.recordedAt.getTime() + 1);
  return { ...state, recordedAt: new Date(recordedMs) };
}

const isAfter =
  (moment: Date) =>
  ({ occurredAt }: Change): boolean =>
    occurredAt > moment;

function byTime(one: Change, other: Change): number {
  const ms = one.occurredAt.getTime() - other.occurredAt.getTime();
  if (ms !== 0) return ms;
  return one.externalId < other.externalId ? -1 : 1;
}
