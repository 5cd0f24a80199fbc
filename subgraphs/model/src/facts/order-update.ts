import type { KnownOrder, OrderFactStatus } from './fact.ts';

/** A later change of a known order. */
export interface OrderUpdate {
  /** The correction's id in the customer's own systems. */
  readonly externalId: string;
  /** External id of the order. */
  readonly order: string;
  readonly orderId: string;
  readonly memberId: string;
  readonly status: OrderFactStatus;
  /** The remaining amount of the order; null if the amount does not change. */
  readonly amountMinor: bigint | null;
  /** The correction's own time: the latest correction of an order counts. */
  readonly occurredAt: Date;
}

/** The ids of an order among the facts. */
export type OrderRef = Pick<KnownOrder, 'orderId' | 'memberId'>;

/** A fact of an order: of its first import or of a change. */
export interface OrderState {
  readonly occurredAt: Date;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: OrderFactStatus;
  readonly recordedAt: Date;
  /**
   * True if the fact was written for a correction from a file; false for facts of the order itself or of
   * commerce.
   */
  readonly isUpdate: boolean;
}

type Change = Pick<OrderUpdate, 'externalId' | 'status' | 'amountMinor' | 'occurredAt'>;

/**
 * Computes the state of an order after all of its corrections, in whatever sequence they arrived: the status
 * of the latest one by its own time, and the amount of the latest one that has an amount. Of two corrections
 * at the same time, the one with the greater id is the later. A change that commerce recorded replaces all
 * corrections before it.
 *
 * @param facts - of the order, sorted by the time from which they are valid; at least one
 * @returns the fact to append; null if the order already has this state
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
  // After the fact that was valid until now, so that every reader finds it.
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
