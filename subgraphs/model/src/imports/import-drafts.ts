import { checkEmail } from '@loyalty/platform/base/email';
import { AppError } from '@loyalty/platform/base/errors';
import { type Cells, readText, refuse } from '@loyalty/platform/imports/import-cells';
import type {
  ChannelReceiptFact,
  ChannelReceiptStatus,
  EventFact,
  FactKind,
  OrderFact,
  OrderFactStatus,
} from '../facts/fact.ts';
import { positionsOf } from './import-fields.ts';
import {
  readAmount,
  readCurrency,
  readId,
  readKeyword,
  readMoneyText,
  readNumber,
  readOptionalCurrency,
  readOptionalId,
  readQuantity,
  readTime,
  readWord,
  type TimeBounds,
  vocabulary,
} from './import-values.ts';

type ImportedStatus = 'PENDING' | 'ACTIVE' | 'UNSUBSCRIBED' | 'INACTIVE';

export interface MemberDraft {
  readonly externalId: string;
  /** Trimmed and in lower case. */
  readonly email: string | null;
  readonly createdAt: Date;
  readonly status: ImportedStatus;
}

export interface OrderLineDraft {
  readonly externalId: string;
  /** External id of the order. */
  readonly order: string;
  readonly itemId: string;
  readonly quantity: number;
  /** In major units of the order's currency. */
  readonly unitPrice: string | null;
}

export interface OrderUpdateDraft {
  readonly externalId: string;
  /** External id of the order. */
  readonly order: string;
  readonly status: OrderFactStatus;
  /** In major units of the order's currency. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly occurredAt: Date;
}

/** Kinds of files whose rows have a member. */
export type MemberFactKind = Exclude<FactKind, 'ORDER_LINES'>;

// Rows are only parsed here, without any query: `memberId` of a draft holds the member's name in the file,
// which may be an external id. Issues are recorded in the cells.

const memberStatuses = vocabulary<ImportedStatus>({
  PENDING: ['unconfirmed'],
  ACTIVE: ['enabled', 'subscribed'],
  UNSUBSCRIBED: ['opted_out'],
  INACTIVE: ['disabled', 'dormant'],
});
const orderStatuses = vocabulary<OrderFactStatus>({
  PENDING: ['placed', 'open', 'processing'],
  PAID: [],
  COMPLETED: ['complete', 'fulfilled', 'delivered', 'shipped'],
  PARTIALLY_REFUNDED: ['partial_refund'],
  REFUNDED: ['returned'],
  CANCELLED: ['canceled', 'voided'],
});
const receiptStatuses = vocabulary<ChannelReceiptStatus>({
  SENT: [],
  DELIVERED: ['delivery'],
  OPENED: ['open', 'read'],
  CLICKED: ['click'],
  BOUNCED: ['bounce', 'failed'],
  COMPLAINED: ['complaint', 'spam'],
  UNSUBSCRIBED: ['unsubscribe', 'opted_out'],
});

/** Aliases of the event types that the standard model knows; all other types stay as they are. */
const eventTypes: ReadonlyMap<string, string> = new Map([
  ...['pv', 'page_view', 'product_view'].map((word): [string, string] => [word, 'view']),
  ...['add_to_cart', 'cart'].map((word): [string, string] => [word, 'cart_add']),
  ['remove_from_cart', 'cart_remove'],
  ...['buy', 'order'].map((word): [string, string] => [word, 'purchase']),
]);

const inMembers = positionsOf('MEMBERS');
const inOrders = positionsOf('ORDERS');
const inEvents = positionsOf('EVENTS');
const inLines = positionsOf('ORDER_LINES');
const inReceipts = positionsOf('CHANNEL_RECEIPTS');
const inUpdates = positionsOf('ORDER_UPDATES');

function readEmail(cells: Cells): string | null {
  const text = readText(cells, inMembers.email, 254);
  if (text === null) return null;
  try {
    return checkEmail('email', text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    refuse(cells, inMembers.email, 'must be an e-mail address such as ada@example.com');
    return null;
  }
}

function readRequiredWord<Word extends string>(
  cells: Cells,
  field: number,
  words: ReadonlyMap<string, Word>,
  otherwise: Word,
): Word {
  const before = cells.issues?.length ?? 0;
  const word = readWord(cells, field, words);
  if (word === null && (cells.issues?.length ?? 0) === before)
    refuse(cells, field, 'is required', 'REQUIRED');
  return word ?? otherwise;
}

export function readOrder(cells: Cells, bounds: TimeBounds): OrderFact {
  const currency = readCurrency(cells, inOrders.currency);
  return {
    externalId: readId(cells, inOrders.external_id),
    memberId: readId(cells, inOrders.member_id),
    occurredAt: readTime(cells, inOrders.occurred_at, bounds),
    amountMinor: readAmount(cells, inOrders.amount, currency),
    currency,
    status: readRequiredWord(cells, inOrders.status, orderStatuses, 'PENDING'),
  };
}

export function readEvent(cells: Cells, bounds: TimeBounds): EventFact {
  const type = readKeyword(cells, inEvents.type);
  return {
    externalId: readId(cells, inEvents.external_id),
    memberId: readId(cells, inEvents.member_id),
    occurredAt: readTime(cells, inEvents.occurred_at, bounds),
    type: eventTypes.get(type) ?? type,
    itemId: readOptionalId(cells, inEvents.item_id),
    value: readNumber(cells, inEvents.value),
  };
}

export function readReceipt(cells: Cells, bounds: TimeBounds): ChannelReceiptFact {
  return {
    externalId: readId(cells, inReceipts.external_id),
    memberId: readId(cells, inReceipts.member_id),
    occurredAt: readTime(cells, inReceipts.occurred_at, bounds),
    channel: readKeyword(cells, inReceipts.channel),
    messageId: readId(cells, inReceipts.message_id),
    status: readRequiredWord(cells, inReceipts.status, receiptStatuses, 'SENT'),
  };
}

export const readMember = (cells: Cells, bounds: TimeBounds): MemberDraft => ({
  externalId: readId(cells, inMembers.external_id),
  email: readEmail(cells),
  createdAt: readTime(cells, inMembers.created_at, bounds),
  status: readWord(cells, inMembers.status, memberStatuses) ?? 'ACTIVE',
});

export const readLine = (cells: Cells): OrderLineDraft => ({
  externalId: readId(cells, inLines.external_id),
  order: readId(cells, inLines.order_id),
  itemId: readId(cells, inLines.item_id),
  quantity: readQuantity(cells, inLines.quantity),
  unitPrice: readMoneyText(cells, inLines.unit_price),
});

export const readUpdate = (cells: Cells, bounds: TimeBounds): OrderUpdateDraft => ({
  externalId: readId(cells, inUpdates.external_id),
  order: readId(cells, inUpdates.order_id),
  status: readRequiredWord(cells, inUpdates.status, orderStatuses, 'PENDING'),
  amount: readMoneyText(cells, inUpdates.amount),
  currency: readOptionalCurrency(cells, inUpdates.currency),
  occurredAt: readTime(cells, inUpdates.occurred_at, bounds),
});
