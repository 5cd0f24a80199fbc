import {
  type ImportDefinition,
  importFinished,
  importRequested,
} from '@loyalty/platform/imports/import-definition';
import { type OrderRow, orderFields, readOrder } from './order-import.input.ts';

/** A file of orders was uploaded. A job will import it. */
export const orderImportRequested = importRequested('commerce.order_import_requested');

/**
 * An import of orders has finished. Imported orders are history: they publish no events and earn no points.
 */
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

/** The definition of order imports. */
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
