import { importJob } from '@loyalty/platform/imports/import-job';
import { orderImport } from './order-import.events.ts';
import { openOrderImport } from './order-import.service.ts';

/** Writes the rows of a file of orders. */
export const importOrdersJob = importJob(orderImport, openOrderImport);
