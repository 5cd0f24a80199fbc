import { runImport } from '@loyalty/platform/imports/import-run';
import { job } from '@loyalty/platform/jobs';
import { z } from 'zod';
import { openCatalogImport } from './catalog-import.service.ts';

/** Writes the rows of a file of products; it goes on where it stopped. */
export const importCatalogJob = job(
  'commerce.import-catalog',
  z.object({ importId: z.uuid() }),
  (ctx, { importId }) => runImport(ctx, importId, openCatalogImport),
  { isLong: true, retryLimit: 20 },
);
