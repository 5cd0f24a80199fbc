import { importFinished, importRequested } from '@loyalty/platform/imports/import-definition';

/** A file of orders has arrived and waits for its job. */
export const orderImportRequested = importRequested('commerce.order_import_requested');

/** An import of orders is done. They are history: no order of it publishes an event or earns points. */
export const ordersImported = importFinished('orders.imported');
