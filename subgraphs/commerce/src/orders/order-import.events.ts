import {
  type ImportDefinition,
  importFinished,
  importRequested,
} from '@loyalty/platform/imports/import-definition';
import { type OrderRow, orderFields, readOrder } from './order-import.input.ts';

/** A file of orders has arrived and waits for its job. */
export const orderImportRequested = importRequested('commerce.order_import_requested');

/** An import of orders is done. They are history: no order of it publishes an event or earns points. */
export const ordersImported = importFinished('orders.imported', {
  webhook: {
    stage: 'commerce',
    resource: 'importId',
    label: 'Orders imported',
    description:
      'An import of orders has ended. Its orders have no events of their own, and so it has no amount_band.',
  },
  changesAll: ['ORDERS', 'MEMBER'],
});

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
