import { hash } from 'node:crypto';
import type {
  ChannelReceiptFact,
  EventFact,
  FactKind,
  Facts,
  OrderFact,
  OrderLineFact,
} from '../facts/fact.ts';

/** Bytes that are kept of a SHA-256. */
export const FINGERPRINT_BYTES = 16;

/** The content of a fact without its ids; of an order also without the time it was recorded. */
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
