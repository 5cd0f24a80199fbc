import { exportRequested } from '@loyalty/platform/exports/export-definition';

/** An export of orders was asked for; a job writes its file. */
export const orderExportRequested = exportRequested('commerce.order_export_requested');
