import { hash } from 'node:crypto';

/** Fields of every fact; facts with the same kind and external id are the same fact. */
interface FactIdentity {
  /** The fact's id in the customer's own systems. */
  readonly externalId: string;
  readonly memberId: string;
  readonly occurredAt: Date;
}

export type OrderFactStatus =
  | 'PENDING'
  | 'PAID'
  | 'COMPLETED'
  | 'PARTIALLY_REFUNDED'
  | 'REFUNDED'
  | 'CANCELLED';

export interface OrderFact extends FactIdentity {
  /** The order's id in commerce; absent if the model makes one. */
  readonly orderId?: string;
  readonly amountMinor: bigint;
  /** ISO 4217. */
  readonly currency: string;
  readonly status: OrderFactStatus;
  /** The time from which the fact is valid: of two facts of one order, the later counts. Default: now. */
  readonly recordedAt?: Date;
}

export interface EventFact extends FactIdentity {
  /** Canonical: `view`, `cart_add`, `cart_remove`, `purchase`, or a type that the workspace defines. */
  readonly type: string;
  readonly itemId: string | null;
  readonly value: number | null;
}

/** A line of a known order; it has the order's member and time. */
export interface OrderLineFact extends FactIdentity {
  readonly orderId: string;
  readonly itemId: string;
  readonly quantity: number;
  /** In minor units of the order's currency. */
  readonly unitPriceMinor: bigint | null;
}

export type ChannelReceiptStatus =
  | 'SENT'
  | 'DELIVERED'
  | 'OPENED'
  | 'CLICKED'
  | 'BOUNCED'
  | 'COMPLAINED'
  | 'UNSUBSCRIBED';

export interface ChannelReceiptFact extends FactIdentity {
  /** In lower case: `email`, `push`, `sms`. */
  readonly channel: string;
  readonly messageId: string;
  readonly status: ChannelReceiptStatus;
}

/** A known order, to which later facts may refer. */
export interface KnownOrder {
  readonly orderId: string;
  readonly memberId: string;
  readonly occurredAt: Date;
  readonly currency: string;
}

/** Facts by their kind. */
export interface Facts {
  readonly ORDERS: OrderFact;
  readonly EVENTS: EventFact;
  readonly ORDER_LINES: OrderLineFact;
  readonly CHANNEL_RECEIPTS: ChannelReceiptFact;
}

export type FactKind = keyof Facts;

/** Orders with these statuses are paid. */
const statuses: readonly OrderFactStatus[] = ['PAID', 'COMPLETED', 'PARTIALLY_REFUNDED'];

const paid: ReadonlySet<OrderFactStatus> = new Set(statuses);

/** Whether the order counts as a purchase. */
export const isPurchase = ({ status, amountMinor }: Pick<OrderFact, 'status' | 'amountMinor'>): boolean =>
  paid.has(status) && amountMinor > 0n;

/** The same condition in SQL, on a row of `order_facts`. */
export const IS_PURCHASE = `(status IN ('${statuses.join("', '")}') AND amount_minor > 0)`;

/** Bytes of a SHA-256 that are kept. */
export const FINGERPRINT_BYTES = 16;

/** The content of a fact without its ids; for an order, also without the time it was recorded. */
const contentOf: { readonly [Kind in FactKind]: (fact: Facts[Kind]) => readonly unknown[] } = {
  ORDERS: ({ memberId, occurredAt, amountMinor, currency, status }: OrderFact) => [
    memberId,
    occurredAt.getTime(),
    String(amountMinor),
    currency,
    status,
  ],
  EVENTS: ({ memberId, occurredAt, type, itemId, value }: EventFact) => [
    memberId,
    occurredAt.getTime(),
    type,
    itemId,
    value,
  ],
  ORDER_LINES: ({ orderId, itemId, quantity, unitPriceMinor }: OrderLineFact) => [
    orderId,
    itemId,
    quantity,
    unitPriceMinor === null ? null : String(unitPriceMinor),
  ],
  CHANNEL_RECEIPTS: ({ memberId, occurredAt, channel, messageId, status }: ChannelReceiptFact) => [
    memberId,
    occurredAt.getTime(),
    channel,
    messageId,
    status,
  ],
};

/** SHA-256 of a fact's content, cut to 16 bytes, as hex: the same from an import and from commerce. */
export const fingerprintOf = <Kind extends FactKind>(kind: Kind, fact: Facts[Kind]): string =>
  hash('sha256', JSON.stringify(contentOf[kind](fact)), 'hex').slice(0, 2 * FINGERPRINT_BYTES);
