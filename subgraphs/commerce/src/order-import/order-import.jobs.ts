import { runImport } from '@loyalty/platform/imports/import-run';
import { job } from '@loyalty/platform/jobs';
import { z } from 'zod';
import { openOrderImport } from './order-import.service.ts';

/** Writes the rows of a file of orders; tried again for hours, because it goes on where it stopped. */
export const importOrdersJob = job(
  'commerce.import-orders',
  z.object({ importId: z.uuid() }),
  (ctx, { importId }) => runImport(ctx, importId, openOrderImport),
  { isLong: true, retryLimit: 20 },
);
