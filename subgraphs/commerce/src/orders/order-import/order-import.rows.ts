import {
  type Cells,
  isRefused,
  readCurrency,
  readInstant,
  readJson,
  readMinor,
  readOption,
  readText,
  readUuid,
  refuse,
  requireText,
} from '@loyalty/platform/imports/import-cells';
import { field, fieldSet, positionsIn, required } from '@loyalty/platform/imports/import-fields';
import { isEmail } from '@loyalty/platform/values/email';
import type { OrderStatus } from '../orders/orders.store.ts';

/** An order as a file has it, before its member is known. */
export interface OrderRow {
  readonly externalOrderId: string;
  memberId: string | null;
  readonly memberEmail: string | null;
  readonly memberExternalId: string | null;
  storeId: string | null;
  readonly status: OrderStatus;
  readonly currency: string;
  readonly totalMinor: string;
  readonly subtotalMinor: string | null;
  readonly discountMinor: string | null;
  readonly taxMinor: string | null;
  readonly shippingMinor: string | null;
  readonly occurredAt: string;
  /** JSON. */
  readonly items: string;
  /** SHA-256 as hex, known with the member. */
  fingerprint: string;
  /** The row as COPY takes it, known with the fingerprint. */
  line: string;
}

const statuses: readonly OrderStatus[] = [
  'PLACED',
  'PAID',
  'FULFILLED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'CANCELLED',
];

/** Fields of an order in a file; a row's values are in this order. */
const fields = [
  required('external_order_id', 'order_id', 'order_number'),
  field('member_id'),
  field('member_email', 'email', 'customer_email'),
  field('member_external_id', 'customer_id'),
  field('store_id', 'store'),
  required('occurred_at', 'ordered_at', 'date', 'order_date'),
  required('currency', 'currency_code'),
  required('total', 'total_minor', 'amount'),
  field('subtotal', 'subtotal_minor'),
  field('discount', 'discount_minor'),
  field('tax', 'tax_minor'),
  field('shipping', 'shipping_minor'),
  field('status', 'order_status'),
  field('items', 'line_items'),
];
export const orderFields = fieldSet(fields);
/** Index of each field among a row's values. */
export const orderField = positionsIn(fields);
const at = orderField;
const ITEMS_MAX = 500;

/** Validates one row of a CSV or NDJSON file of orders; its faults are noted in the cells. */
export function readOrder(cells: Cells): OrderRow {
  return {
    externalOrderId: requireText(cells, at.external_order_id, 200),
    memberId: readUuid(cells, at.member_id),
    memberEmail: readAddress(cells),
    memberExternalId: readText(cells, at.member_external_id, 200),
    storeId: readUuid(cells, at.store_id),
    status: readOption(cells, at.status, statuses) ?? 'PAID',
    currency: needed(cells, at.currency, readCurrency(cells, at.currency)),
    totalMinor: needed(cells, at.total, readMinor(cells, at.total)),
    subtotalMinor: readMinor(cells, at.subtotal),
    discountMinor: readMinor(cells, at.discount),
    taxMinor: readMinor(cells, at.tax),
    shippingMinor: readMinor(cells, at.shipping),
    occurredAt: needed(cells, at.occurred_at, readInstant(cells, at.occurred_at)),
    items: readItems(cells),
    fingerprint: '',
    line: '',
  };
}

/** The member's address, in lower case; text that is no address is a fault of the row. */
function readAddress(cells: Cells): string | null {
  const email = readText(cells, at.member_email, 254)?.toLowerCase() ?? null;
  if (email !== null && !isEmail(email))
    refuse(cells, at.member_email, 'must be an e-mail address such as ada@example.com');
  return email;
}

/** A value that must be there; a cell that was refused already is not refused twice. */
function needed(cells: Cells, field: number, value: string | null): string {
  if (value === null && !isRefused(cells)) refuse(cells, field, 'is required');
  return value ?? '';
}

/** `[{productId?, externalProductId?, sku?, name?, quantity, unitPrice}]`, in the form orders keep. */
function readItems(cells: Cells): string {
  const items = readJson(cells, at.items);
  if (items === undefined) return '[]';
  if (!Array.isArray(items) || items.length > ITEMS_MAX) {
    refuse(cells, at.items, `must be a list of at most ${ITEMS_MAX} items`);
    return '[]';
  }
  return JSON.stringify(items.map((item, index) => readItem(cells, item, index)));
}

function readItem(cells: Cells, item: unknown, index: number): object {
  const given = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
  const quantity = Number(given['quantity'] ?? 1);
  const price = given['unitPrice'] ?? given['unit_price'] ?? given['unitPriceMinor'] ?? 0;
  const unitPriceMinor = typeof price === 'string' && /^\d+$/.test(price) ? Number(price) : price;
  if (!Number.isSafeInteger(quantity) || quantity < 1)
    refuse(cells, at.items, `item ${index + 1} must have a whole quantity of at least 1`);
  if (!Number.isSafeInteger(unitPriceMinor) || Number(unitPriceMinor) < 0)
    refuse(cells, at.items, `item ${index + 1} must have a unitPrice in whole minor units`);
  return {
    productId: null,
    externalProductId: textOf(given['externalProductId'] ?? given['external_product_id']),
    sku: textOf(given['sku']),
    name: textOf(given['name']),
    quantity,
    unitPriceMinor,
  };
}

const TEXT_LENGTH_MAX = 500;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what PostgreSQL cannot store is removed
const UNSTORABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).replace(UNSTORABLE, '').toWellFormed().trim().slice(0, TEXT_LENGTH_MAX)
    : null;
