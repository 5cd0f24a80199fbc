import { daysIn, endOfDay, startOfDay } from '../../design/days.ts';

export const STATUSES = [
  'PLACED',
  'PAID',
  'FULFILLED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'CANCELLED',
] as const;

/** The filter of the orders, as the address has it. */
export interface OrdersSearch {
  readonly status?: string | undefined;
  readonly externalOrderId?: string | undefined;
  /** Id of the store. */
  readonly store?: string | undefined;
  /** Days, YYYY-MM-DD, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface OrdersConditions {
  readonly status: (typeof STATUSES)[number] | null;
  readonly externalOrderId: string | null;
  readonly storeId: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Returns the conditions of a query. Unknown values of the address are left out; so is a last day before the
 * first one.
 */
export function filterOf(search: OrdersSearch, timeZone: string): OrdersConditions {
  const { status, externalOrderId, store } = search;
  const { from, to } = daysIn(search);
  return {
    status: STATUSES.find((each) => each === status) ?? null,
    externalOrderId: externalOrderId ?? null,
    storeId: store ?? null,
    from: from && startOfDay(from, timeZone),
    to: to && endOfDay(to, timeZone),
  };
}
