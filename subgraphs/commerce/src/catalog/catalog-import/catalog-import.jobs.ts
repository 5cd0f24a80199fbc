import { importJob } from '@loyalty/platform/imports/import-job';
import { openCatalogImport } from './catalog-import.service.ts';

/** Writes the rows of a file of products; it goes on where it stopped. */
export const importCatalogJob = importJob('commerce.import-catalog', openCatalogImport);
