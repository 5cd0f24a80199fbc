import { importJob } from '@loyalty/platform/imports/import-job';
import { catalogImport } from './catalog-import.events.ts';
import { openCatalogImport } from './catalog-import.service.ts';

/** Writes the rows of a file of products. */
export const importCatalogJob = importJob(catalogImport, openCatalogImport);
