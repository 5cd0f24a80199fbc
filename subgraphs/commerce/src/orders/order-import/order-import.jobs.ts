import { importJob } from '@loyalty/platform/imports/import-job';
import { openOrderImport } from './order-import.service.ts';

/** Writes the rows of a file of orders; it goes on where it stopped. */
export const importOrdersJob = importJob('commerce.import-orders', openOrderImport);
