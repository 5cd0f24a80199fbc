import { importFinished, importRequested } from '@loyalty/platform/imports/import-definition';

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
