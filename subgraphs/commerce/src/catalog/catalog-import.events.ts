import {
  type ImportDefinition,
  importFinished,
  importRequested,
} from '@loyalty/platform/imports/import-definition';
import { type ImportedProduct, productFields, readProduct } from './catalog-import.input.ts';

/** A file of products was uploaded. A job will import it. */
export const catalogImportRequested = importRequested('commerce.catalog_import_requested');

/** An import of products has finished. No events are published for single products. */
export const catalogImported = importFinished('catalog.imported', {
  webhook: {
    stage: 'commerce',
    resource: 'importId',
    label: 'Catalog imported',
    description: 'An import of products has ended. It is about no purchase, and so it has no amount_band.',
  },
});

/** The definition of product imports. */
export const catalogImport: ImportDefinition<ImportedProduct> = {
  kind: 'CATALOG',
  scope: 'catalog',
  fields: productFields,
  reader: () => readProduct,
  batchRows: 1_000,
  job: 'commerce.import-catalog',
  requested: catalogImportRequested,
  finished: catalogImported,
};
