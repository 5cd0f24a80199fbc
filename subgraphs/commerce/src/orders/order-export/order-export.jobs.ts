import { exportJob } from '@loyalty/platform/exports/export-job';
import { exportedOrders } from './exported-orders.ts';

/** Writes a file of orders. */
export const exportOrdersJob = exportJob(exportedOrders);
