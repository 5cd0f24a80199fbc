import { importFinished, importRequested } from '@loyalty/platform/imports/import-definition';

/** A file of products has arrived and waits for its job. */
export const catalogImportRequested = importRequested('commerce.catalog_import_requested');

/** An import of products is done; single products publish nothing. */
export const catalogImported = importFinished('catalog.imported');
