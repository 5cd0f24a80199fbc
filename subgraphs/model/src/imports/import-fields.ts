import { field, positionsIn, required } from '@loyalty/platform/imports/import-fields';

const member = required('member_id', 'customer_id', 'user_id', 'external_member_id', 'member');
const item = ['product_id', 'sku', 'item'] as const;

/** The fields of each kind of file, in the order of a row's values. */
export const importFields = {
  MEMBERS: [
    required('external_id', 'member_id', 'customer_id', 'user_id'),
    field('email', 'e_mail', 'mail', 'email_address'),
    required('created_at', 'joined_at', 'registered_at', 'signup_date', 'joined'),
    field('status', 'member_status'),
  ],
  ORDERS: [
    required('external_id', 'order_id', 'order_number', 'external_order_id'),
    member,
    required('occurred_at', 'ordered_at', 'order_date', 'date', 'timestamp'),
    required('amount', 'total', 'order_total', 'total_amount'),
    required('currency', 'currency_code'),
    required('status', 'order_status'),
  ],
  EVENTS: [
    required('external_id', 'event_id'),
    member,
    required('type', 'event_type', 'event', 'event_name', 'action'),
    required('occurred_at', 'timestamp', 'time', 'event_time', 'date'),
    field('item_id', ...item),
    field('value', 'event_value'),
  ],
  ORDER_LINES: [
    required('external_id', 'line_id', 'order_line_id'),
    required('order_id', 'order', 'order_number', 'external_order_id'),
    required('item_id', ...item),
    required('quantity', 'qty', 'units'),
    field('unit_price', 'price', 'item_price'),
  ],
  CHANNEL_RECEIPTS: [
    required('external_id', 'receipt_id'),
    member,
    required('channel', 'medium'),
    required('message_id', 'message', 'campaign_message_id'),
    required('status', 'receipt_status', 'delivery_status'),
    required('occurred_at', 'timestamp', 'time', 'date'),
  ],
  ORDER_UPDATES: [
    required('external_id', 'update_id', 'correction_id', 'refund_id'),
    required('order_id', 'order', 'order_number', 'external_order_id'),
    required('status', 'order_status'),
    field('amount', 'total', 'order_total', 'total_amount'),
    field('currency', 'currency_code'),
    required('occurred_at', 'updated_at', 'timestamp', 'time', 'date'),
  ],
} as const;

export type DataImportKind = keyof typeof importFields;

export const dataImportKinds = Object.keys(importFields) as DataImportKind[];

type Names<Kind extends DataImportKind> = (typeof importFields)[Kind][number]['name'];

/** Returns the index of each field of a kind in a row's values. */
export const positionsOf = <Kind extends DataImportKind>(kind: Kind): Readonly<Record<Names<Kind>, number>> =>
  positionsIn<Names<Kind>>(importFields[kind]);
