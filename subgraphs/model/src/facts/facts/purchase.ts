import type { OrderFact, OrderFactStatus } from './fact.ts';

/** Orders in these states were paid for. */
const statuses: readonly OrderFactStatus[] = ['PAID', 'COMPLETED', 'PARTIALLY_REFUNDED'];
const paid: ReadonlySet<OrderFactStatus> = new Set(statuses);

/** Does the order count as a purchase? */
export const isPurchase = ({ status, amountMinor }: Pick<OrderFact, 'status' | 'amountMinor'>): boolean =>
  paid.has(status) && amountMinor > 0n;

/** The same in SQL, of a row of `order_facts`. */
export const IS_PURCHASE = `(status IN ('${statuses.join("', '")}') AND amount_minor > 0)`;
