import type { ImportDefinition } from '@loyalty/platform/imports/import-definition';
import { orderImportRequested, ordersImported } from './order-import.events.ts';
import { type OrderRow, orderFields, readOrder } from './order-import.rows.ts';

/** Imports of orders. */
export const orderImport: ImportDefinition<OrderRow> = {
  kind: 'ORDERS',
  scope: 'orders',
  fields: orderFields,
  reader: () => readOrder,
  batchRows: 5_000,
  job: 'commerce.import-orders',
  requested: orderImportRequested,
  finished: ordersImported,
};
