import { isEmail } from '@loyalty/platform/base/email';
import { type InputRule, inputRule, required as requiredRule } from '@loyalty/platform/base/input-rules';
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
import { field, fieldSet, labelled, positionsIn, required } from '@loyalty/platform/imports/import-fields';
import type { OrderStatus } from './orders.store.ts';

/** An order of a file, before its member is looked up. */
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
  /** SHA-256 as hex; set when the member is known. */
  fingerprint: string;
  /** The row in the text format of COPY; set together with the fingerprint. */
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

/** The fields of an order in a file. The values of a row are in this order. */
const fields = [
  labelled(required('external_order_id', 'order_id', 'order_number'), 'Your id of the order', 'A-1024'),
  labelled(field('member_id'), 'Id of the member', '0198b2a4-5e1c-7d30-9f00-6b1f2c3d4e5f'),
  labelled(
    field('member_email', 'email', 'customer_email'),
    'E-mail address of the member',
    'ada@example.com',
  ),
  labelled(field('member_external_id', 'customer_id'), 'Your id of the member', 'C-1024'),
  labelled(field('store_id', 'store'), 'Id of the store', '0198b2a4-5e1c-7d30-9f00-6b1f2c3d4e5f'),
  labelled(
    required('occurred_at', 'ordered_at', 'date', 'order_date'),
    'Date and time of the order',
    '2026-03-02T10:00:00Z',
  ),
  labelled(required('currency', 'currency_code'), 'Currency', 'EUR'),
  labelled(required('total', 'total_minor', 'amount'), 'Total in minor units', '1250'),
  labelled(field('subtotal', 'subtotal_minor'), 'Subtotal in minor units', '1000'),
  labelled(field('discount', 'discount_minor'), 'Discount in minor units', '100'),
  labelled(field('tax', 'tax_minor'), 'Tax in minor units', '200'),
  labelled(field('shipping', 'shipping_minor'), 'Shipping in minor units', '150'),
  labelled(field('status', 'order_status'), 'Status', 'paid'),
  labelled(
    field('items', 'line_items'),
    'Items as JSON',
    '[{"sku": "TEA-1", "quantity": 2, "unitPrice": 500}]',
  ),
];
export const orderFields = fieldSet(fields);
/** Index of each field among a row's values. */
export const orderField = positionsIn(fields);
const at = orderField;
const ITEMS_MAX = 500;
const emailAddress = inputRule('EMAIL_ADDRESS', 'must be an e-mail address such as ada@example.com');
const itemsAtMost = inputRule('ITEMS', `must be a list of at most ${ITEMS_MAX} items`, {
  min: 0,
  max: ITEMS_MAX,
});
const quantityRule = (item: number): InputRule =>
  inputRule('ITEM_QUANTITY', `item ${item} must have a whole quantity of at least 1`, { item });
const priceRule = (item: number): InputRule =>
  inputRule('ITEM_PRICE', `item ${item} must have a unitPrice in whole minor units`, { item });

/** Reads and validates one row of a CSV or NDJSON file. Faults are recorded in its cells. */
export function readOrder(cells: Cells): OrderRow {
  return {
    externalOrderId: requireText(cells, at.external_order_id, 200),
    memberId: readUuid(cells, at.member_id),
    memberEmail: readAddress(cells),
    memberExternalId: readText(cells, at.member_external_id, 200),
    storeId: readUuid(cells, at.store_id),
    status: readOption(cells, at.status, statuses) ?? 'PAID',
    currency: requiredValue(cells, at.currency, readCurrency(cells, at.currency)),
    totalMinor: requiredValue(cells, at.total, readMinor(cells, at.total)),
    subtotalMinor: readMinor(cells, at.subtotal),
    discountMinor: readMinor(cells, at.discount),
    taxMinor: readMinor(cells, at.tax),
    shippingMinor: readMinor(cells, at.shipping),
    occurredAt: requiredValue(cells, at.occurred_at, readInstant(cells, at.occurred_at)),
    items: readItems(cells),
    fingerprint: '',
    line: '',
  };
}

/** Reads the member's address, in lower case. Text that is not an address is a fault of the row. */
function readAddress(cells: Cells): string | null {
  const email = readText(cells, at.member_email, 254)?.toLowerCase() ?? null;
  if (email !== null && !isEmail(email)) refuse(cells, at.member_email, emailAddress);
  return email;
}

/** Refuses an empty cell of a required field, unless the cell was refused already. */
function requiredValue(cells: Cells, field: number, value: string | null): string {
  if (value === null && !isRefused(cells)) refuse(cells, field, requiredRule);
  return value ?? '';
}

/**
 * Reads `[{productId?, externalProductId?, sku?, name?, quantity, unitPrice}]` and returns it as it is
 * stored.
 */
function readItems(cells: Cells): string {
  const items = readJson(cells, at.items);
  if (items === undefined) return '[]';
  if (!Array.isArray(items) || items.length > ITEMS_MAX) {
    refuse(cells, at.items, itemsAtMost);
    return '[]';
  }
  return JSON.stringify(items.map((item, index) => readItem(cells, item, index)));
}

function readItem(cells: Cells, item: unknown, index: number): object {
  const given = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
  const quantity = Number(given['quantity'] ?? 1);
  const price = given['unitPrice'] ?? given['unit_price'] ?? given['unitPriceMinor'] ?? 0;
  const unitPriceMinor = typeof price === 'string' && /^\d+$/.test(price) ? Number(price) : price;
  if (!Number.isSafeInteger(quantity) || quantity < 1) refuse(cells, at.items, quantityRule(index + 1));
  if (!Number.isSafeInteger(unitPriceMinor) || Number(unitPriceMinor) < 0)
    refuse(cells, at.items, priceRule(index + 1));
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
