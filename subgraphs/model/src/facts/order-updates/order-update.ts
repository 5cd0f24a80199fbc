import type { KnownOrder, OrderFactStatus } from '../facts/fact.ts';

/** A correction of an order that is known: what became of it afterwards. */
export interface OrderUpdate {
  /** The correction's id in the workspace's own systems. */
  readonly externalId: string;
  /** External id of the order. */
  readonly order: string;
  readonly orderId: string;
  readonly memberId: string;
  readonly status: OrderFactStatus;
  /** What is left of the order; null where its amount stays as it is. */
  readonly amountMinor: bigint | null;
  /** The correction's own time: the latest one of an order counts. */
  readonly occurredAt: Date;
}

/** What identifies an order among the facts. */
export type OrderRef = Pick<KnownOrder, 'orderId' | 'memberId'>;

/** A fact of an order, of its first import or of a change. */
export interface OrderState {
  readonly occurredAt: Date;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: OrderFactStatus;
  readonly recordedAt: Date;
  /** Written for a correction of a file; others are of the order itself, or of commerce. */
  readonly isUpdate: boolean;
}
